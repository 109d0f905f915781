// The impacts of a mesh with a plane.
#pragma once

#include <odemesh/motion.hpp>
#include <span>
#include <utility>

#include "motion/impacts_behind.hpp"
#include "ode/trimesh_reader.hpp"

namespace odemesh::ode {

/// Of one mesh with a plane, for the pair in the caller's order.
struct PlaneImpacts {
  const Mesh& mesh;
  const HalfSpace& plane;
  bool mesh_is_first;
  double dt;

  [[nodiscard]] std::size_t find(Front front, const Motion& motion, std::span<Impact> room) const {
    const std::size_t found =
        findImpactsWithPlaneBehind(front, mesh, motion, plane.normal, plane.offset, dt, room);
    if (!mesh_is_first)
      for (Impact& impact : room.first(found)) {
        impact.normal = -impact.normal;
        std::swap(impact.triangle1, impact.triangle2);
      }
    return found;
  }
};

}  // namespace odemesh::ode
