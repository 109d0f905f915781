// The closest points of two segments.
#pragma once

#include <odemesh/pose.hpp>

namespace odemesh {

struct ClosestOnSegments {
  double s = 0, t = 0;  ///< point1 = p1 + s (q1 - p1), point2 = p2 + t (q2 - p2)
  Vec3 point1, point2;
  Vec3 difference;  ///< point1 - point2; more accurate than subtracting when both are far from the origin
  double distance_sq = 0;  ///< of `difference`
};

/// The closest points of the segments p1 q1 and p2 q2, either of which may be a point. When one parameter has
/// to be clamped the other is solved again (Ericson, Real-Time Collision Detection, 5.1.9). Parallel
/// segments, and those within an angle of 1e-6, are compared by their ends; if many pairs of points are
/// equally close, any may be given. Finite coordinates up to 1e100.
[[nodiscard]] ClosestOnSegments closestOnSegments(const Vec3& p1, const Vec3& q1, const Vec3& p2,
                                                  const Vec3& q2);

}  // namespace odemesh
