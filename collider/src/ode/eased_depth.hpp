// What ODE's solver is told of a depth.
#pragma once

#include <algorithm>
#include <odemesh/collide.hpp>
#include <span>

#include "constants.hpp"

namespace odemesh::ode {

/// The depth to hand over for a measured one, for meshes whose smaller radius is `size`: much less where it
/// is below `kUncorrected` of that, the same where it is well above. Grows with the depth, and keeps its
/// sign.
[[nodiscard]] inline double easedDepth(double depth, double size) {
  if (depth <= 0 || size <= 0) return depth;
  const double share = depth / (kUncorrected * size);
  const double sharp = share * share * share * share;
  return std::max(depth / (1 + 1 / sharp), std::min(depth, kLeastDepth * size));
}

inline void easeDepths(std::span<Contact> contacts, double size) {
  for (Contact& c : contacts) c.depth = easedDepth(c.depth, size);
}

}  // namespace odemesh::ode
