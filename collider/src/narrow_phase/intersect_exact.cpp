#include "narrow_phase/intersect_exact.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "narrow_phase/coplanar.hpp"
#include "narrow_phase/sides.hpp"

namespace odemesh {
namespace {

/// The extent of both triangles along one axis, at least half of it: the largest distance from the first
/// corner.
double reach(const Triangle& a, const Triangle& b, double Vec3::*axis) {
  const auto from_first = [&](const Vec3& p) { return std::fabs(p.*axis - a.v[0].*axis); };
  return std::max(std::max(from_first(a.v[1]), from_first(a.v[2])),
                  std::max(std::max(from_first(b.v[0]), from_first(b.v[1])), from_first(b.v[2])));
}

/// A bound on the rounding error of the determinant of any three differences between the corners, or infinity
/// where underflow or overflow rules out such a bound.
///
/// Each of the six terms of the determinant is at most 8 x y z and suffers eight roundings: three
/// differences, two products, one sum within a minor and two between them; so 6 * 8 * 8 units of 2^-53, and
/// some to spare. As long as the three reaches stay in [1e-90, 1e100], what underflows is far below that.
double errorBound(const Triangle& a, const Triangle& b) {
  constexpr double kBound = 400 * 1.1102230246251565e-16;
  const double x = reach(a, b, &Vec3::x), y = reach(a, b, &Vec3::y), z = reach(a, b, &Vec3::z);
  const bool in_range = std::min(std::min(x, y), z) > 1e-90 && std::max(std::max(x, y), z) < 1e100;
  return in_range ? kBound * x * y * z : std::numeric_limits<double>::infinity();
}

/// How far each corner of `t` lies above the plane of `plane`, rounded, times the length of the normal.
struct Heights {
  double h[3];

  [[nodiscard]] bool onOneSide(double bound) const {
    return std::min(std::min(h[0], h[1]), h[2]) > bound || std::max(std::max(h[0], h[1]), h[2]) < -bound;
  }
};

Heights heightsOver(const Triangle& plane, const Triangle& t) {
  const Vec3& o = plane.v[0];
  const Vec3 normal = cross(plane.v[1] - o, plane.v[2] - o);
  return {{dot(normal, t.v[0] - o), dot(normal, t.v[1] - o), dot(normal, t.v[2] - o)}};
}

/// The signs of orient3d: from the heights where the error bound allows, exactly elsewhere.
Sides sidesOf(const Heights& heights, const Triangle& plane, const Triangle& t, double bound) {
  Sides sides;
  for (int i = 0; i < 3; ++i) {
    sides.s[i] = (heights.h[i] < -bound) - (heights.h[i] > bound);
    if (sides.s[i] == 0) sides.s[i] = orient3d(plane.v[0], plane.v[1], plane.v[2], t.v[i]);
  }
  return sides;
}

/// Is orient3d(a, b, c, d) zero or positive?
bool notNegative(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, double bound) {
  const double determinant = dot(cross(b - a, c - a), d - a);  // of the opposite sign
  if (std::fabs(determinant) > bound) return determinant < 0;
  return orient3d(a, b, c, d) >= 0;
}

/// Both triangles reach the line where their planes cross. Do they overlap on it?
///
/// Let p be the apexes, and let q and r be named such that on the line the edges pq come before the edges pr
/// in the one triangle and after in the other. Then the intervals overlap if neither lies beyond the other,
/// which two more orientations tell.
bool overlapOnLine(const Triangle& a, const Sides& a_sides, const Triangle& b, const Sides& b_sides,
                   double bound) {
  const int i = apexOf(a_sides), j = apexOf(b_sides);
  const Vec3 &p1 = a.v[i], &p2 = b.v[j];
  const Vec3 *q1 = &a.v[nextCorner(i)], *r1 = &a.v[(i + 2) % 3];
  const Vec3 *q2 = &b.v[(j + 1) % 3], *r2 = &b.v[(j + 2) % 3];
  // Each apex is to be above the other's plane, or in it with the rest below; turning a triangle over brings
  // it there.
  if (a_sides.s[i] > a_sides.s[nextCorner(i)]) std::swap(q2, r2);
  if (b_sides.s[j] > b_sides.s[(j + 1) % 3]) std::swap(q1, r1);
  return notNegative(p1, *q1, p2, *q2, bound) && notNegative(p1, *r1, *r2, p2, bound);
}

/// For points that share a plane or line: they meet if they do in all three projections, at least one of
/// which is one-to-one.
bool segmentsInPlaneMeet(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!segmentsMeet2d(dropAxis(a, axis), dropAxis(b, axis), dropAxis(c, axis), dropAxis(d, axis), orient2d))
      return false;
  }
  return true;
}

bool hasArea(const Triangle2& t) {
  return orient2d(t.v[0], t.v[1], t.v[2]) != 0;
}

/// An axis along which the triangle projects to one with area, or -1 if it has no area itself.
int projectionAxis(const Triangle& t) {
  const int first = dominantAxis(cross(t.v[1] - t.v[0], t.v[2] - t.v[0]));
  for (const int axis : {first, (first + 1) % 3, (first + 2) % 3}) {
    if (hasArea(dropAxis(t, axis))) return axis;
  }
  return -1;
}

struct Segment {
  Vec3 p, q;
};

/// The segment that a triangle without area covers: along a line the order by x, y, z is the order on the
/// line.
Segment segmentOf(const Triangle& t) {
  const auto before = [](const Vec3& a, const Vec3& b) {
    return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z);
  };
  const auto ends = std::minmax_element(t.v, t.v + 3, before);
  return {*ends.first, *ends.second};
}

bool segmentsMeet(const Segment& a, const Segment& b) {
  return orient3d(a.p, a.q, b.p, b.q) == 0 && segmentsInPlaneMeet(a.p, a.q, b.p, b.q);
}

/// `axis` is the triangle's projectionAxis, which is not -1.
bool segmentMeets(const Segment& s, const Triangle& t, int axis) {
  const int p_side = orient3d(t.v[0], t.v[1], t.v[2], s.p), q_side = orient3d(t.v[0], t.v[1], t.v[2], s.q);
  if (p_side * q_side > 0) return false;
  if (p_side == 0 && q_side == 0) {
    const Point2 p = dropAxis(s.p, axis), q = dropAxis(s.q, axis);
    return trianglesMeet2d(dropAxis(t, axis), {{p, q, q}}, orient2d);
  }
  // It crosses the plane once: within the triangle if it passes all edges on the same side.
  const int s0 = orient3d(s.p, s.q, t.v[0], t.v[1]), s1 = orient3d(s.p, s.q, t.v[1], t.v[2]);
  const int s2 = orient3d(s.p, s.q, t.v[2], t.v[0]);
  return (s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0);
}

bool isFinite(const Triangle& t) {
  return isFinite(t.v[0]) && isFinite(t.v[1]) && isFinite(t.v[2]);
}

/// The triangles lie in one plane, or one of them has no area.
bool meetInPlaneOrWithoutArea(const Triangle& a, const Triangle& b) {
  if (!isFinite(a) || !isFinite(b)) return false;
  const int a_axis = projectionAxis(a), b_axis = projectionAxis(b);
  if (a_axis < 0 && b_axis < 0) return segmentsMeet(segmentOf(a), segmentOf(b));
  if (a_axis < 0) return segmentMeets(segmentOf(a), b, b_axis);
  if (b_axis < 0) return segmentMeets(segmentOf(b), a, a_axis);
  return trianglesMeet2d(dropAxis(a, a_axis), dropAxis(b, a_axis), orient2d);
}

}  // namespace

bool trianglesIntersect(const Triangle& a, const Triangle& b) {
  const double bound = errorBound(a, b);
  const Heights b_heights = heightsOver(a, b);
  if (b_heights.onOneSide(bound)) return false;
  const Heights a_heights = heightsOver(b, a);
  if (a_heights.onOneSide(bound)) return false;
  const Sides a_sides = sidesOf(a_heights, b, a, bound), b_sides = sidesOf(b_heights, a, b, bound);
  if (a_sides.onOneSide() || b_sides.onOneSide()) return false;
  if (a_sides.inPlane() || b_sides.inPlane()) return meetInPlaneOrWithoutArea(a, b);
  return overlapOnLine(a, a_sides, b, b_sides, bound);
}

}  // namespace odemesh
