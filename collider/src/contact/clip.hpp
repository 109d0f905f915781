// The part of a convex polygon on one side of a line.
#pragma once

#include <cstddef>
#include <span>

namespace odemesh {

/// Calls `take` with the corners, in order, of the part of the polygon on which a linear function is not
/// positive (Sutherland and Hodgman 1974). `value(i)` is the function at corner i. Where it is 0 on the side
/// from p to q, the corner is `between(p, q, share)`.
template <typename Point, typename Value, typename Take>
void clipConvex(std::span<const Point> polygon, Value&& value, Take&& take) {
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const std::size_t j = i + 1 == polygon.size() ? 0 : i + 1;
    const double at_p = value(i), at_q = value(j);
    if (at_p <= 0) take(polygon[i]);
    if ((at_p < 0 && at_q > 0) || (at_p > 0 && at_q < 0))
      take(between(polygon[i], polygon[j], at_p / (at_p - at_q)));
  }
}

}  // namespace odemesh
