// A plane as a mesh sees it.
#pragma once

#include <odemesh/pose.hpp>

namespace odemesh {

/// In the frame of the mesh.
struct LocalPlane {
  Vec3 normal;
  double offset;
  [[nodiscard]] double depthOf(const Vec3& p) const { return offset - dot(normal, p); }
};

}  // namespace odemesh
