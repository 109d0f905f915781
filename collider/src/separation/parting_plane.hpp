// Points on one side of a triangle, told by its plane alone.
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "constants.hpp"
#include "narrow_phase/triangle.hpp"
#include "vector_norms.hpp"

namespace odemesh {

/// Do all of `points` lie on one side of a triangle's plane, farther from it than `limit`, beyond what
/// rounding may say?
[[nodiscard]] inline bool planeParts(const Triangle& t, std::span<const Vec3> points, double limit) {
  const Vec3 along = t.v[1] - t.v[0], across = t.v[2] - t.v[0], normal = cross(along, across);
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest, longest = 0;
  for (const Vec3& p : points) {
    const Vec3 arm = p - t.v[0];
    const double height = dot(normal, arm);
    lowest = std::min(lowest, height);
    highest = std::max(highest, height);
    longest = std::max(longest, sumOfComponents(arm));
  }
  // The last term is for triangles so small that their products lose digits.
  const double rounding = kBoxSlack * sumOfComponents(along) * sumOfComponents(across) * (longest + limit) +
                          std::numeric_limits<double>::min();
  const double reach = limit * length(normal) + rounding;
  return lowest > reach || highest < -reach;
}

}  // namespace odemesh
