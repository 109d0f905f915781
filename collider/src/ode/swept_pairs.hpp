// Pairs of geoms whose boxes do not meet yet, but will on the way of one of them.
#pragma once

#include <odemesh/odemesh.h>

#include <vector>

#include "ode/geom_motion.hpp"

namespace odemesh::ode {

/// A geom's bounds, in ODE's order.
struct Box {
  dReal side[6];

  [[nodiscard]] bool meets(const Box& b) const {
    for (int axis = 0; axis < 6; axis += 2)
      if (!(side[axis] <= b.side[axis + 1] && b.side[axis] <= side[axis + 1])) return false;
    return true;
  }
};

[[nodiscard]] inline Box boxOf(dGeomID geom) {
  Box box;
  dGeomGetAABB(geom, box.side);
  return box;
}

struct GeomPair {
  dGeomID a, b;
};

/// A mesh that moves far, and what it sweeps over.
struct FastGeom {
  dGeomID geom;
  Box box, swept;
};

/// The meshes in a space that move far within `dt`.
class FastGeoms {
 public:
  /// Lists them in `room`.
  FastGeoms(double dt, std::vector<FastGeom>& room) : dt_(dt), slow_(dt), fast_(room) { fast_.clear(); }

  /// A trimesh, if it is fast. Says whether it is. `known` is its mesh, or null.
  bool add(dGeomID trimesh, const Mesh* known);
  /// Those of a space and of its subspaces.
  void addAll(dSpaceID space);

  [[nodiscard]] const std::vector<FastGeom>& all() const { return fast_; }
  [[nodiscard]] bool contain(dGeomID geom) const;
  /// Appends the pairs of `mover` with slow geoms in `space` and its subspaces that dSpaceCollide leaves out.
  void addNeighbours(dSpaceID space, const FastGeom& mover, std::vector<GeomPair>& pairs) const;
  /// Appends the pairs of fast geoms that it leaves out.
  void addPairs(std::size_t mover, std::vector<GeomPair>& pairs) const;

 private:
  bool addMoving(dGeomID trimesh, const Mesh& mesh);

  double dt_;
  SlowGeoms slow_;
  std::vector<FastGeom>& fast_;
};

/// Does ODE never report this pair: of one body, or of categories that do not collide?
[[nodiscard]] bool areFiltered(dGeomID a, dGeomID b);

}  // namespace odemesh::ode
