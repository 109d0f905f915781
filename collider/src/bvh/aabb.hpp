// Axis-aligned boxes in double, and the rounding that makes them safe to store as floats.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
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
  [[nodiscard]] bool meets(const Aabb& b) const {
    return lo.x <= b.hi.x && b.lo.x <= hi.x && lo.y <= b.hi.y && b.lo.y <= hi.y && lo.z <= b.hi.z &&
           b.lo.z <= hi.z;
  }
  [[nodiscard]] Vec3 centre() const { return 0.5 * lo + 0.5 * hi; }
  [[nodiscard]] Vec3 extent() const { return hi - lo; }
  [[nodiscard]] double halfArea() const {
    const Vec3 d = extent();
    return d.x * d.y + d.y * d.z + d.z * d.x;
  }
};

/// What two boxes share.
[[nodiscard]] inline Aabb shared(const Aabb& a, const Aabb& b) {
  return {{std::max(a.lo.x, b.lo.x), std::max(a.lo.y, b.lo.y), std::max(a.lo.z, b.lo.z)},
          {std::min(a.hi.x, b.hi.x), std::min(a.hi.y, b.hi.y), std::min(a.hi.z, b.hi.z)}};
}

/// The least float greater than `f`, which is neither NaN nor infinity. std::nextafter is a call, and shows.
[[nodiscard]] inline float floatAfter(float f) {
  if (f == 0) return std::numeric_limits<float>::denorm_min();
  const auto bits = std::bit_cast<std::uint32_t>(f);
  return std::bit_cast<float>(f > 0 ? bits + 1 : bits - 1);
}

/// The nearest floats that enclose a double: rounding to float may never make a box smaller.
[[nodiscard]] inline float floatAbove(double value) {
  const auto f = static_cast<float>(value);
  return static_cast<double>(f) < value ? floatAfter(f) : f;
}
[[nodiscard]] inline float floatBelow(double value) {
  return -floatAbove(-value);
}

}  // namespace odemesh
