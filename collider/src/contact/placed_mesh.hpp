// The two meshes of a query in their common frame.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <odemesh/mesh.hpp>
#include <odemesh/pose.hpp>

#include "constants.hpp"
#include "mesh/mesh_bounds.hpp"
#include "mid_phase/box_axes.hpp"
#include "narrow_phase/triangle.hpp"
#include "vector_norms.hpp"

namespace odemesh {

/// A mesh placed in the frame in which contacts are computed.
class PlacedMesh {
 public:
  PlacedMesh(const Mesh& mesh, const Pose& to_frame) : mesh_(&mesh), to_frame_(to_frame) {}

  [[nodiscard]] const Mesh& mesh() const { return *mesh_; }
  [[nodiscard]] const Pose& pose() const { return to_frame_; }
  [[nodiscard]] Vec3 vertex(std::uint32_t v) const { return to_frame_.apply(mesh_->vertices()[v]); }
  [[nodiscard]] Vec3 corner(std::uint32_t t, int i) const { return vertex(mesh_->corners(t)[i]); }
  [[nodiscard]] Triangle triangle(std::uint32_t t) const {
    return {{corner(t, 0), corner(t, 1), corner(t, 2)}};
  }
  [[nodiscard]] Vec3 normal(std::uint32_t t) const { return to_frame_.rotate(mesh_->normal(t)); }
  /// The triangle of the caller's mesh that `point` of face `t` lies in.
  [[nodiscard]] std::uint32_t inputTriangleAt(std::uint32_t t, const Vec3& point) const {
    return mesh_->inputTriangleAt(t, to_frame_.inverse().apply(point));
  }
  /// The greatest dot product of `direction` with a point of the mesh's bounding box.
  [[nodiscard]] double support(const Vec3& direction) const {
    return dot(direction, centre()) + reach(direction);
  }
  /// The same for a point seen from the centre.
  [[nodiscard]] double reach(const Vec3& direction) const {
    const Vec3 local = to_frame_.rotation.transposed() * direction;
    const Vec3& half = mesh_->boxHalfExtent();
    return std::abs(local.x) * half.x + std::abs(local.y) * half.y + std::abs(local.z) * half.z;
  }
  [[nodiscard]] Vec3 centre() const { return to_frame_.apply(mesh_->sphereCentre()); }

 private:
  const Mesh* mesh_;
  Pose to_frame_;
};

/// The lengths that decide when surfaces touch, for meshes of a given size.
struct Tolerances {
  Tolerances(double size_of_smaller, double contact_margin)
      : size(size_of_smaller),
        margin(contact_margin),
        inflation(kInflation * size + margin),
        crossing(2 * (kCrossingShift * size + inflation)),
        slack(2 * kInflation * size + margin),
        opening(std::max(slack, kCornerGap * size)),
        touching(kTouching * size) {}

  double size;       ///< radius of the smaller mesh, the yardstick
  double margin;     ///< surfaces closer than this are wanted too
  double inflation;  ///< by which solids are blown up to find regions
  double crossing;   ///< surfaces farther apart do not cross, shifted and blown up as they are for that
  double slack;      ///< by which depths and distances may be off for what is blown up
  double opening;    ///< corners of a patch are kept down to minus this depth
  double touching;   ///< apart by less than this counts as touching

  /// Depth to report for a measured one: less the touching distance, positive for what touches, and negative
  /// for what is apart within the margin.
  [[nodiscard]] double reported(double depth) const {
    return depth > -touching ? std::max(depth - touching, kLeastDepth * size) : depth;
  }
};

/// A margin that is NaN, infinite or negative counts as none.
[[nodiscard]] inline double usableMargin(double margin) {
  return std::isfinite(margin) && margin > 0 ? margin : 0;
}

/// Both meshes of a query: index 0 is mesh 1, index 1 is mesh 2. The frame has the axes of mesh 1 and its
/// origin at the centre of mesh 1, so that neither a distant world origin nor a distant model origin costs
/// accuracy.
class MeshPair {
 public:
  MeshPair(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2, const Pose& pose2, double margin = 0)
      : mesh2_in_mesh1_(relativePose(pose1, pose2)),
        to_world_{pose1.rotation, pose1.apply(mesh1.sphereCentre())},
        placed_{PlacedMesh(mesh1, {{}, -mesh1.sphereCentre()}),
                PlacedMesh(mesh2,
                           {mesh2_in_mesh1_.rotation, mesh2_in_mesh1_.translation - mesh1.sphereCentre()})},
        tolerances_(std::min(mesh1.sphereRadius(), mesh2.sphereRadius()), margin) {}

  /// The same, its surfaces wanted where they are closer than `margin`.
  [[nodiscard]] MeshPair blownUp(double margin) const {
    MeshPair pair(*this);
    pair.tolerances_ = Tolerances(size(), margin);
    return pair;
  }

  /// The same, with mesh 1, a sheet, grown at its borders.
  [[nodiscard]] MeshPair grown() const {
    MeshPair pair(*this);
    pair.growth_ = kBorderGrowth * size();
    return pair;
  }

  [[nodiscard]] const PlacedMesh& operator[](int side) const { return placed_[side]; }
  [[nodiscard]] const Pose& toWorld() const { return to_world_; }
  [[nodiscard]] const Pose& mesh2InMesh1() const { return mesh2_in_mesh1_; }
  /// The radius of the smaller mesh, the yardstick of relative tolerances.
  [[nodiscard]] double size() const { return tolerances_.size; }
  [[nodiscard]] const Tolerances& tolerances() const { return tolerances_; }
  /// A length, by which mesh 1 grows at its borders for deciding what crosses.
  [[nodiscard]] double growth() const { return growth_; }
  /// Convex bodies overlap in one layer, and leave each other along one direction.
  [[nodiscard]] bool areConvex() const {
    return placed_[0].mesh().isConvex() && placed_[1].mesh().isConvex();
  }
  [[nodiscard]] bool areSolid() const { return placed_[0].mesh().isSolid() && placed_[1].mesh().isSolid(); }

 private:
  Pose mesh2_in_mesh1_;
  Pose to_world_;
  std::array<PlacedMesh, 2> placed_;
  Tolerances tolerances_;
  double growth_ = 0;
};

/// Stage 2: do the bounding spheres, with their centres `between` from each other, come within `margin`?
/// (Nathan, step 1.)
[[nodiscard]] inline bool spheresMeet(const Mesh& mesh1, const Mesh& mesh2, const Vec3& between,
                                      double margin) {
  const double reach = mesh1.sphereRadius() + mesh2.sphereRadius() + margin;
  return lengthSq(between) <= reach * reach * (1 + 1e-12);
}

[[nodiscard]] inline bool spheresMeet(const MeshPair& pair, double margin) {
  return spheresMeet(pair[0].mesh(), pair[1].mesh(), pair[1].centre() - pair[0].centre(), margin);
}

/// How far the columns of a matrix are from being of unit length and at right angles.
[[nodiscard]] inline double distortionOf(const Mat3& m) {
  const Mat3 columns = m.transposed();
  double greatest = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      greatest = std::max(greatest, std::abs(dot(columns.row[i], columns.row[j]) - (i == j ? 1 : 0)));
  return greatest;
}

/// The same for the bounding boxes, mesh 2 turned by `turn` and with its centre `between` from that of mesh
/// 1: false only if they are parted by more than `slack`.
[[nodiscard]] inline bool boxesMeet(const Mesh& mesh1, const Mesh& mesh2, const BoxTurn& turn,
                                    const Vec3& between, double slack) {
  const Vec3 &half1 = mesh1.boxHalfExtent(), &half2 = mesh2.boxHalfExtent();
  return !partedByFace(half1, half2, turn, between, slack) &&
         !partedByEdges(half1, half2, turn, between, slack);
}

/// The same for the slabs of thin meshes that lie askew in their boxes.
[[nodiscard]] inline bool slabsMeet(const Mesh& mesh1, const Mesh& mesh2, const Mat3& rotation,
                                    const Vec3& between, double slack) {
  if (mesh1.thinReach() == 0 && mesh2.thinReach() == 0) return true;
  const MeshBounds bounds1(mesh1), bounds2(mesh2);
  const auto areParted = [&](const Vec3& axis1, const Vec3& axis2) {
    return std::abs(dot(axis1, between)) > bounds1.reach(axis1) + bounds2.reach(axis2) + slack;
  };
  if (bounds1.hasSlab() && areParted(bounds1.thin_axis, rotation.transposed() * bounds1.thin_axis))
    return false;
  return !bounds2.hasSlab() || !areParted(rotation * bounds2.thin_axis, bounds2.thin_axis);
}

/// All of them, the cheaper ones first: false only if some are parted by more than `margin`. What a rotation
/// has drifted by is on the safe side.
[[nodiscard]] inline bool boundsMeet(const Mesh& mesh1, const Mesh& mesh2, const Mat3& rotation,
                                     const Vec3& between, double margin) {
  if (!spheresMeet(mesh1, mesh2, between, margin)) return false;
  const double size = margin + sumOfComponents(between) + sumOfComponents(mesh1.boxHalfExtent()) +
                      sumOfComponents(mesh2.boxHalfExtent());
  const BoxTurn turn(rotation);
  const double slack = margin + (kBoxSlack + 4 * distortionOf(rotation)) * size;
  return boxesMeet(mesh1, mesh2, turn, between, slack) && slabsMeet(mesh1, mesh2, rotation, between, slack);
}

[[nodiscard]] inline bool boundsMeet(const MeshPair& pair, double margin) {
  return boundsMeet(pair[0].mesh(), pair[1].mesh(), pair[1].pose().rotation,
                    pair[1].centre() - pair[0].centre(), margin);
}

}  // namespace odemesh
