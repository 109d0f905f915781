// The input of every triangle kernel: three corners, in whatever frame both triangles of a call share.
#pragma once

#include <odemesh/pose.hpp>

namespace odemesh {

/// Three corners. Which way they wind matters only where a kernel says so.
struct Triangle {
  Vec3 v[3];
};

}  // namespace odemesh
