// Small scenes whose pictures are known.
#pragma once

#include <odemesh/sim/render/snapshot.hpp>
#include <odemesh/sim/shapes.hpp>

namespace odemesh::sim {

inline std::shared_ptr<const TriangleMesh> shared(TriangleMesh mesh) {
  return std::make_shared<const TriangleMesh>(std::move(mesh));
}

inline DrawnBody boxAt(const Vec3& place, const Colour& colour, double size = 1) {
  return {shared(makeBox({size, size, size})), {{}, place}, colour, false};
}

}  // namespace odemesh::sim
