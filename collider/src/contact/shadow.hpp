// A face seen along the contact direction.
#pragma once

#include <cstdint>

namespace odemesh {

/// A point in the plane across the contact direction.
struct ShadowPoint {
  double u, v;
};

/// The outline of a face, and its height along the direction as a function of (u, v).
struct Shadow {
  std::uint32_t face;
  ShadowPoint corner[3];  ///< counter-clockwise
  ShadowPoint lo, hi;     ///< bounds
  double height0, slope_u, slope_v;
  bool is_interior;  ///< of a flat part of the surface: all three vertices are flat

  [[nodiscard]] double height(const ShadowPoint& p) const { return height0 + slope_u * p.u + slope_v * p.v; }
};

}  // namespace odemesh
