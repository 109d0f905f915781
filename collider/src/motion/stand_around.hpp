// Whether places enclose another one.
#pragma once

#include <algorithm>
#include <odemesh/pose.hpp>
#include <span>

namespace odemesh {

/// One place is to the left or right of another, seen from a centre, if they span an area with it of more
/// than this, in units of the square of the smaller radius.
inline constexpr double kClearlyBeside = 1e-6;

/// Do `feet`, which are seen from a centre, stand all around it across `normal`? `size` is the smaller
/// mesh's radius.
[[nodiscard]] inline bool standAround(std::span<const Vec3> feet, const Vec3& normal, double size) {
  const double least = kClearlyBeside * size * size;
  return !feet.empty() && std::ranges::all_of(feet, [&](const Vec3& foot) {
    const Vec3 left = cross(normal, foot);
    return std::ranges::any_of(feet, [&](const Vec3& other) { return dot(left, other) > least; }) &&
           std::ranges::any_of(feet, [&](const Vec3& other) { return dot(left, other) < -least; });
  });
}

}  // namespace odemesh
