// What the files of this folder share: measures of a motion, and the part of a mesh that lies in a box.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <odemesh/motion.hpp>
#include <optional>

#include "bvh/aabb.hpp"
#include "bvh/wide_tree.hpp"
#include "mesh/mesh_bounds.hpp"

namespace odemesh {

/// Are they numbers?
[[nodiscard]] inline bool isUsable(const Motion& m) {
  return isFinite(m.pose) && isFinite(m.centre) && isFinite(m.velocity) && isFinite(m.spin);
}
[[nodiscard]] inline bool isUsable(double dt) {
  return std::isfinite(dt) && dt > 0;
}

/// The rotation about `turn` by its length in radians (Rodrigues).
[[nodiscard]] Mat3 rotationBy(const Vec3& turn);

/// No less than the square of how far points of the mesh move within `dt`, without a root. Takes squares, or
/// more: of the velocity, the spin and the distance from the motion's centre to the middle of the mesh.
[[nodiscard]] inline double greatestMotionSq(const Mesh& mesh, double velocity_sq, double spin_sq,
                                             double arm_sq, double dt) {
  const double radius = mesh.sphereRadius();
  const double most_sq = 2 * (velocity_sq + spin_sq * 2 * (arm_sq + radius * radius));
  return most_sq * dt * dt * (1 + 1e-9);
}

/// Is such a square less than this share of the mesh's thickness?
[[nodiscard]] inline bool isWithin(double motion_sq, double share, const Mesh& mesh) {
  const double least = share * mesh.thickness();
  return motion_sq < least * least;
}

/// Is one of them?
[[nodiscard]] inline bool isEitherFast(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2,
                                       const Motion& motion2, double dt) {
  return isFast(mesh1, motion1, dt) || isFast(mesh2, motion2, dt);
}

/// Is the mesh free, and moves by more within `dt` than it may overlap what stops in front of it?
[[nodiscard]] bool isBrisk(const Mesh& mesh, const Motion& motion, double dt);

/// Of what moves along at `point`, in the world at time 0.
[[nodiscard]] inline Vec3 velocityAt(const Motion& motion, const Vec3& point) {
  return motion.velocity + cross(motion.spin, point - motion.centre);
}

/// The speed at which the first approaches the second at `point`, along `normal` into the first.
[[nodiscard]] inline double approachAlong(const Motion& first, const Motion& second, const Vec3& point,
                                          const Vec3& normal) {
  return dot(velocityAt(second, point) - velocityAt(first, point), normal);
}

/// A length that no point of the mesh exceeds on its way within `dt`.
[[nodiscard]] double greatestMotion(const Mesh& mesh, const Motion& motion, double dt);

/// Two points that may meet within a step approach each other by `way`, a vector in the world, and no more
/// than `rest` besides.
struct Approach {
  Vec3 way;
  double rest;

  [[nodiscard]] double greatest() const { return length(way) + rest; }
  [[nodiscard]] Approach operator*(double share) const { return {way * share, rest * share}; }
};

/// Of two meshes within `dt`. Links of a chain that swings as a whole hardly approach each other.
[[nodiscard]] Approach approachWithin(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2,
                                      const Motion& motion2, double dt);

/// A box in the frame and unit of a tree.
[[nodiscard]] inline Aabb inTree(const WideTree& tree, const Aabb& box) {
  return {(box.lo - tree.origin()) / tree.scale(), (box.hi - tree.origin()) / tree.scale()};
}

/// What a box in a mesh's frame sweeps over as that moves from one pose to another, in straight ways.
[[nodiscard]] Aabb sweptBox(const Vec3& centre, const Vec3& half, const Pose& begin, const Pose& end,
                            double slack);

/// A mesh's bounds at the begin and at the end of a step.
class SweptBounds {
 public:
  SweptBounds(const Mesh& mesh, const Motion& motion, double dt);

  /// An axis of the box at the begin.
  [[nodiscard]] const Vec3& axis(int i) const { return to_box_[0].row[i]; }
  /// Across the slab at the begin, if there is one.
  [[nodiscard]] std::optional<Vec3> thinAxis() const {
    if (!bounds_.hasSlab()) return {};
    return to_box_[0].transposed() * bounds_.thin_axis;
  }
  /// At the begin (0) or at the end (1).
  [[nodiscard]] const Vec3& centre(int end) const { return centre_[end]; }
  /// How far the mesh reaches to either side of the centre along the unit vector `n`.
  [[nodiscard]] double reach(int end, const Vec3& n) const;
  /// A point at `share` of the step is off the line between its begin and end by no more than
  /// share * (1 - share) / 2 of this.
  [[nodiscard]] double bend() const { return bend_; }

 private:
  std::array<Mat3, 2> to_box_;
  std::array<Vec3, 2> centre_;
  MeshBounds bounds_;
  double bend_;
};

/// Does a plane part the meshes, by more than `slack`, all along their ways? False of many that it does.
[[nodiscard]] bool areParted(const SweptBounds& a, const SweptBounds& b, double slack);

/// Around triangle `t`.
[[nodiscard]] inline Aabb boxOf(const Mesh& mesh, std::uint32_t t) {
  Aabb box;
  for (int corner = 0; corner < 3; ++corner) box.grow(mesh.vertex(t, corner));
  return box;
}

/// Does any triangle of the mesh reach into `box`, in its frame, as far as boxes and planes tell?
[[nodiscard]] bool isNear(const Mesh& mesh, const Aabb& box);

}  // namespace odemesh
