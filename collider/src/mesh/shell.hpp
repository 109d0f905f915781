// A connected part of a surface.
#pragma once

#include <algorithm>
#include <cmath>
#include <odemesh/pose.hpp>

#include "mesh/triangle_normal.hpp"

namespace odemesh {

/// What a set of triangles encloses.
struct Shell {
  /// One that encloses less than this share of its area times its radius consists of two flush layers.
  static constexpr double kLeastVolume = 1e-9;

  double volume = 0, area = 0, radius = 0;

  void take(const Vec3& a, const Vec3& b, const Vec3& c) {
    volume += dot(a, cross(b, c)) / 6;
    area += triangleArea(a, b, c);
    radius = std::max({radius, length(a), length(b), length(c)});
  }
  [[nodiscard]] bool isFlat() const { return std::abs(volume) <= kLeastVolume * area * radius; }
};

}  // namespace odemesh
