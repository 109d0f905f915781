// Do two triangles of one plane meet? Crossing edges, then containment each way (Moller 1997). A star of two
// triangles has no corner of one inside the other, so corners alone would not do.
//
// Written for any orientation test, so that the exact method and the plain ones share it.
#pragma once

#include <algorithm>
#include <cmath>

#include "narrow_phase/predicates.hpp"
#include "narrow_phase/triangle.hpp"

namespace odemesh {

/// The triangle without its coordinate along `axis` (0, 1 or 2); the other two keep their cyclic order.
struct Triangle2 {
  Point2 v[3];
};

[[nodiscard]] inline Point2 dropAxis(const Vec3& p, int axis) {
  return axis == 0 ? Point2{p.y, p.z} : axis == 1 ? Point2{p.z, p.x} : Point2{p.x, p.y};
}

[[nodiscard]] inline Triangle2 dropAxis(const Triangle& t, int axis) {
  return {{dropAxis(t.v[0], axis), dropAxis(t.v[1], axis), dropAxis(t.v[2], axis)}};
}

/// The axis along which `normal` is longest: leaving it out keeps the projection of the plane as large as it
/// can be.
[[nodiscard]] inline int dominantAxis(const Vec3& normal) {
  const double x = std::abs(normal.x), y = std::abs(normal.y), z = std::abs(normal.z);
  return x > y ? (x > z ? 0 : 2) : (y > z ? 1 : 2);
}

/// The sign of the rounded determinant, for the plain tests: as orient2d, but wrong now and then near zero.
[[nodiscard]] inline int roundedOrient2d(const Point2& a, const Point2& b, const Point2& c) {
  const double area = (a.x - c.x) * (b.y - c.y) - (a.y - c.y) * (b.x - c.x);
  return area > 0 ? 1 : area < 0 ? -1 : 0;
}

[[nodiscard]] inline bool boxesMeet(const Point2& a, const Point2& b, const Point2& c, const Point2& d) {
  return std::max(a.x, b.x) >= std::min(c.x, d.x) && std::max(c.x, d.x) >= std::min(a.x, b.x) &&
         std::max(a.y, b.y) >= std::min(c.y, d.y) && std::max(c.y, d.y) >= std::min(a.y, b.y);
}

/// Do the segments ab and cd share a point? Ends belong to them; a segment may be a point.
template <class Orient2d>
[[nodiscard]] bool segmentsMeet2d(const Point2& a, const Point2& b, const Point2& c, const Point2& d,
                                  const Orient2d& orient) {
  // The boxes decide where all four lie on one line; elsewhere they save time.
  return boxesMeet(a, b, c, d) && orient(a, b, c) * orient(a, b, d) <= 0 &&
         orient(c, d, a) * orient(c, d, b) <= 0;
}

/// Is `p` in the triangle, edges included? The triangle has to have an area.
template <class Orient2d>
[[nodiscard]] bool contains2d(const Triangle2& t, const Point2& p, const Orient2d& orient) {
  const int s0 = orient(t.v[0], t.v[1], p), s1 = orient(t.v[1], t.v[2], p), s2 = orient(t.v[2], t.v[0], p);
  return (s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0);
}

/// Do the triangles share a point? `a` has to have an area; `b` may be a segment or a point.
template <class Orient2d>
[[nodiscard]] bool trianglesMeet2d(const Triangle2& a, const Triangle2& b, const Orient2d& orient) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (segmentsMeet2d(a.v[i], a.v[nextCorner(i)], b.v[j], b.v[nextCorner(j)], orient)) return true;
    }
  }
  if (contains2d(a, b.v[0], orient)) return true;
  return orient(b.v[0], b.v[1], b.v[2]) != 0 && contains2d(b, a.v[0], orient);
}

}  // namespace odemesh
