// Distances take products of four lengths, which leave the range of double long before the lengths do.
#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <odemesh/pose.hpp>

namespace odemesh {

/// May lengths whose largest has this square be multiplied four at a time?
[[nodiscard]] inline bool isInRange(double largest_sq) {
  return largest_sq > 1e-120 && largest_sq < 1e120;
}

/// The power of two that brings the largest coordinate of `vectors` into [1, 2); multiplying by it is exact.
/// 1 if they are all zero or not finite.
[[nodiscard]] inline double scaleToOne(std::initializer_list<Vec3> vectors) {
  double size = 0;
  for (const Vec3& v : vectors) size = std::max({size, std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)});
  if (size == 0 || !std::isfinite(size)) return 1;
  return std::ldexp(1.0, std::clamp(-std::ilogb(size), -1022, 1022));
}

/// The place of the least value of a quadratic with its vertex at numerator / denominator, within [0, 1].
/// Takes 0 / 0.
[[nodiscard]] inline double clampedRatio(double numerator, double denominator) {
  return numerator <= 0 ? 0 : numerator >= denominator ? 1 : numerator / denominator;
}

/// Squared sine of the angle (1e-6) below which a cross product is taken for uncertain, and what it says is
/// compared with what the ends and edges give.
constexpr double kThinAngleSq = 1e-12;

}  // namespace odemesh
