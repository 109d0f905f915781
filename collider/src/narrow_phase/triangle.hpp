// The input of every triangle kernel: three corners, in whatever frame both triangles of a call share.
#pragma once

#include <odemesh/pose.hpp>

namespace odemesh {

/// Three corners. Which way they wind matters only where a kernel says so.
struct Triangle {
  Vec3 v[3];
};

/// The corner of a triangle after corner i.
[[nodiscard]] constexpr int nextCorner(int i) {
  return i == 2 ? 0 : i + 1;
}

}  // namespace odemesh
