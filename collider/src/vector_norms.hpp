// Norms of vectors that need no root.
#pragma once

#include <algorithm>
#include <cmath>
#include <odemesh/pose.hpp>

namespace odemesh {

/// The greatest of its components, without their signs: no more than the length.
[[nodiscard]] inline double greatestComponent(const Vec3& v) {
  return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

/// The sum of its components, without their signs: no less than the length.
[[nodiscard]] inline double sumOfComponents(const Vec3& v) {
  return std::abs(v.x) + std::abs(v.y) + std::abs(v.z);
}

}  // namespace odemesh
