// Pairs of geoms whose boxes do not meet yet, but will on the way of one of them.
#pragma once

#include <odemesh/odemesh.h>

#include <vector>

#include "motion/sweep.hpp"
#include "ode/geom_motion.hpp"
#include "ode/sort_and_sweep.hpp"

namespace odemesh::ode {

[[nodiscard]] inline Box boxOf(dGeomID geom) {
  Box box;
  dGeomGetAABB(geom, box.side);
  return box;
}

/// A sphere around a mesh, wherever that turns to, on its straight way within a step.
struct SweptBall {
  Vec3 begin, way;
  double radius;

  [[nodiscard]] Box box() const;
};

[[nodiscard]] SweptBall sweptBall(const Mesh& mesh, const Motion& motion, double dt);

struct GeomPair {
  dGeomID a, b;
};

/// A mesh that moves far, and what it sweeps over.
struct MovingGeom {
  dGeomID geom;
  Box box, swept;
  SweptBall ball;
  Motion motion;
};

/// What a pass over a space lists of the meshes in it, kept from call to call.
struct MovingRoom {
  std::vector<MovingGeom> fast, brisk;
  std::vector<RoundedBox> order;  ///< of boxes that are swept
};

/// The meshes in a space that are fast in a step of `dt`, or brisk.
class MovingGeoms {
 public:
  MovingGeoms(double dt, MovingRoom& room) : dt_(dt), paces_(dt), room_(room) {
    room_.fast.clear();
    room_.brisk.clear();
  }

  /// A trimesh, unless it is slow. Says how it moves. `known` is its mesh, or null.
  Pace add(dGeomID trimesh, const Mesh* known);
  /// Those of a space and of its subspaces.
  void addAll(dSpaceID space);

  [[nodiscard]] const std::vector<MovingGeom>& fast() const { return room_.fast; }
  /// Appends the pairs of `mover`, which is fast, with geoms that are not, in `space` and its subspaces, that
  /// dSpaceCollide leaves out.
  void addNeighbours(dSpaceID space, const MovingGeom& mover, std::vector<GeomPair>& pairs) const;
  /// Appends the pairs of fast geoms with the fast one of this number and those after it that it leaves out.
  void addFastPairs(std::size_t mover, std::vector<GeomPair>& pairs) const;
  /// Appends the pairs of geoms that may follow each other, at least one of them brisk, that both leave out.
  void addFollowing(std::vector<GeomPair>& pairs);

 private:
  Pace addMoving(dGeomID trimesh, const Mesh& mesh);
  /// Geoms are numbered through, the fast ones first.
  [[nodiscard]] bool isFastAt(std::size_t i) const { return i < room_.fast.size(); }
  [[nodiscard]] const MovingGeom& at(std::size_t i) const {
    return isFastAt(i) ? room_.fast[i] : room_.brisk[i - room_.fast.size()];
  }

  double dt_;
  GeomPaces paces_;
  MovingRoom& room_;
};

/// Does ODE never report this pair: of one body, or of categories that do not collide?
[[nodiscard]] bool areFiltered(dGeomID a, dGeomID b);

}  // namespace odemesh::ode
