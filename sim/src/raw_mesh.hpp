// What a file holds before it is checked and joined, and as bytes, to go from one process to another.
#pragma once

#include <cstddef>
#include <odemesh/sim/triangle_mesh.hpp>
#include <string>
#include <string_view>

namespace odemesh::sim {

struct RawMesh {
  TriangleMesh mesh;
  std::size_t points_and_lines = 0;  ///< that were left out
  double rounding = 0;               ///< the most by which single precision may have moved a vertex, m
};

/// All but the name, in this machine's own layout.
[[nodiscard]] std::string packed(const RawMesh& raw);

/// From what `packed` gave; throws std::length_error if it is shorter than it should be.
[[nodiscard]] RawMesh unpacked(std::string_view bytes);

}  // namespace odemesh::sim
