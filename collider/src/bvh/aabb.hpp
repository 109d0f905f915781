// Axis-aligned boxes in double, and the rounding that makes them safe to store as floats.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <odemesh/pose.hpp>

namespace odemesh {

struct Aabb {
  Vec3 lo{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
          std::numeric_limits<double>::infinity()};
  Vec3 hi = -lo;

  void grow(const Vec3& p) {
    lo = {std::min(lo.x, p.x), std::min(lo.y, p.y), std::min(lo.z, p.z)};
    hi = {std::max(hi.x, p.x), std::max(hi.y, p.y), std::max(hi.z, p.z)};
  }
  void grow(const Aabb& b) {
    grow(b.lo);
    grow(b.hi);
  }
  [[nodiscard]] Vec3 centre() const { return 0.5 * lo + 0.5 * hi; }
  [[nodiscard]] Vec3 extent() const { return hi - lo; }
  [[nodiscard]] double halfArea() const {
    const Vec3 d = extent();
    return d.x * d.y + d.y * d.z + d.z * d.x;
  }
};

/// The nearest floats that enclose a double: rounding to float may never make a box smaller.
[[nodiscard]] inline float floatBelow(double value) {
  const auto f = static_cast<float>(value);
  return static_cast<double>(f) > value ? std::nextafter(f, -std::numeric_limits<float>::infinity()) : f;
}
[[nodiscard]] inline float floatAbove(double value) {
  const auto f = static_cast<float>(value);
  return static_cast<double>(f) < value ? std::nextafter(f, std::numeric_limits<float>::infinity()) : f;
}

}  // namespace odemesh
