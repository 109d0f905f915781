// Where does a segment or a ray pass through a triangle?
#pragma once

#include <optional>

#include "narrow_phase/triangle.hpp"

namespace odemesh {

/// The point at `t` along the segment or ray; on the triangle it is (1 - u - v) V0 + u V1 + v V2.
struct SegmentHit {
  double t, u, v;
  Vec3 point;
};

/// Where the segment from `p` to `q` meets the triangle, from either side; t in [0, 1]. The edges, and both
/// ends of the segment, belong to it and are widened by kRelativeTolerance, so that nothing slips between two
/// neighbours. A segment in the plane of the triangle or parallel to it gives nothing, and neither does a
/// triangle without area; `trianglesIntersect` is exact and covers those too. Moller and Trumbore 1997.
/// Coordinates up to 1e100.
[[nodiscard]] std::optional<SegmentHit> intersectSegment(const Vec3& p, const Vec3& q,
                                                         const Triangle& triangle);

/// The same for the ray origin + t direction, t >= 0. The direction need not be of unit length.
[[nodiscard]] std::optional<SegmentHit> intersectRay(const Vec3& origin, const Vec3& direction,
                                                     const Triangle& triangle);

}  // namespace odemesh
