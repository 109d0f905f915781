// The normal of a triangle of any size, and its area.
#pragma once

#include <algorithm>
#include <cmath>
#include <odemesh/pose.hpp>

#include "constants.hpp"
#include "vector_norms.hpp"

namespace odemesh {

/// The unit normal of a triangle, or zero if its corners lie on a line. Scale-free: no overflow or underflow.
/// Inline, so that its cross product is worked out once with what else is asked of it.
[[nodiscard]] inline Vec3 triangleNormal(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a;
  const Vec3 ac = c - a;
  const Vec3 normal = cross(ab, ac);
  const double length_sq = lengthSq(normal);
  if (length_sq > 1e-200 && length_sq < 1e200) return normal / std::sqrt(length_sq);
  const double scale_ab = greatestComponent(ab);
  const double scale_ac = greatestComponent(ac);
  if (scale_ab == 0 || scale_ac == 0 || std::max(scale_ab, scale_ac) < kLeastExtent) return {};
  return normalised(cross(ab / scale_ab, ac / scale_ac));
}

[[nodiscard]] inline double triangleArea(const Vec3& a, const Vec3& b, const Vec3& c) {
  return 0.5 * length(cross(b - a, c - a));
}

}  // namespace odemesh
