// What a plane bounds.
#pragma once

#include <odemesh/pose.hpp>

namespace odemesh {

/// The points p with dot(normal, p) <= offset; the normal is of unit length.
struct HalfSpace {
  Vec3 normal;
  double offset;

  [[nodiscard]] double heightOf(const Vec3& p) const { return dot(normal, p) - offset; }
  [[nodiscard]] double depthOf(const Vec3& p) const { return offset - dot(normal, p); }
};

}  // namespace odemesh
