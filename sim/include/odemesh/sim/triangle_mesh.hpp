// The plain triangle mesh that loaders and shape generators make and worlds take.
#pragma once

#include <array>
#include <cstdint>
#include <odemesh/pose.hpp>
#include <string>
#include <vector>

namespace odemesh::sim {

/// Vertices in metres in the mesh's own frame; three vertex indices a triangle, counter-clockwise from
/// outside.
struct TriangleMesh {
  std::string name;  ///< the file or shape it came from, for messages
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

}  // namespace odemesh::sim
