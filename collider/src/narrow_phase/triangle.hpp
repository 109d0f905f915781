// The input of every triangle kernel: three corners, in whatever frame both triangles of a call share.
#pragma once

#include <cstdint>
#include <odemesh/mesh.hpp>
#include <odemesh/pose.hpp>

namespace odemesh {

/// Three corners. Which way they wind matters only where a kernel says so.
struct Triangle {
  Vec3 v[3];
};

/// Triangle `t` of a mesh, in its frame.
[[nodiscard]] inline Triangle triangleOf(const Mesh& mesh, std::uint32_t t) {
  return {{mesh.vertex(t, 0), mesh.vertex(t, 1), mesh.vertex(t, 2)}};
}

/// The corner of a triangle after corner i.
[[nodiscard]] constexpr int nextCorner(int i) {
  return i == 2 ? 0 : i + 1;
}

}  // namespace odemesh
