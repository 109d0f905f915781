// Moller's interval test of two triangles, in plain doubles: the documented method, kept for comparison.
#pragma once

#include "narrow_phase/triangle.hpp"

namespace odemesh {

/// Do the triangles share a point? Touching counts, up to rounding: a corner nearer to the other plane than
/// kRelativeTolerance times the size of the pair counts as in it. Coplanar pairs are tested in the plane.
/// Expects triangles with an area and coordinates between 1e-70 and 1e70 in magnitude; wrong answers, but no
/// worse, outside. Moller 1997, "A fast triangle-triangle intersection test".
[[nodiscard]] bool trianglesIntersectMoller(const Triangle& a, const Triangle& b);

/// Where the line through two points at positions `p0` and `p1`, at distances `d0` and `d1` from a plane,
/// meets it. The distances have to differ.
[[nodiscard]] constexpr double intervalEnd(double p0, double p1, double d0, double d1) {
  return p0 + (p1 - p0) * (d0 / (d0 - d1));
}

}  // namespace odemesh
