// The triangles of two meshes that are closest to each other.
#pragma once

#include <cstdint>
#include <odemesh/distance.hpp>
#include <optional>

#include "contact/placed_mesh.hpp"
#include "separation/triangle_triangle.hpp"

namespace odemesh {

/// A triangle of each mesh, and their separation in the frame of contacts.
struct ClosestTriangles {
  TriangleSeparation separation;
  std::uint32_t first, second;
};

/// Those at the least distance; several may share it. None beyond `options.upper_bound`. Adds to `stats`.
[[nodiscard]] std::optional<ClosestTriangles> closestTriangles(const MeshPair& pair,
                                                               const DistanceOptions& options,
                                                               QueryStats& stats);

}  // namespace odemesh
