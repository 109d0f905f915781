#include "narrow_phase/intersect_moller.hpp"

#include <algorithm>

#include "narrow_phase/coplanar.hpp"
#include "narrow_phase/sides.hpp"
#include "narrow_phase/tolerance.hpp"
#include "vector_norms.hpp"

namespace odemesh {
namespace {

struct Interval {
  double low, high;
};

Vec3 normalOf(const Triangle& t) {
  return cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
}

/// Times the length of the plane's normal.
Distances distancesFrom(const Triangle& plane, const Vec3& normal, const Triangle& t) {
  const Vec3 from[3] = {t.v[0] - plane.v[0], t.v[1] - plane.v[0], t.v[2] - plane.v[0]};
  const double reach =
      std::max(std::max(greatestComponent(from[0]), greatestComponent(from[1])), greatestComponent(from[2]));
  const double tolerance = kRelativeTolerance * reach * greatestComponent(normal);
  Distances out;
  for (int i = 0; i < 3; ++i) {
    const double d = dot(normal, from[i]);
    out.sides.s[i] = (d > tolerance) - (d < -tolerance);
    out.d[i] = out.sides.s[i] == 0 ? 0 : d;
  }
  return out;
}

/// The part of the line of intersection that the triangle covers, measured along `axis` from `origin`.
Interval coveredInterval(const Triangle& t, const Distances& distances, int axis, double origin) {
  const int i = apexOf(distances.sides), j = (i + 1) % 3, k = (i + 2) % 3;
  const double apex = t.v[i][axis] - origin;
  const double end1 = intervalEnd(apex, t.v[j][axis] - origin, distances.d[i], distances.d[j]);
  const double end2 = intervalEnd(apex, t.v[k][axis] - origin, distances.d[i], distances.d[k]);
  return {std::min(end1, end2), std::max(end1, end2)};
}

bool overlap(const Interval& a, const Interval& b) {
  const double reach = std::max(std::fabs(a.low) + std::fabs(a.high), std::fabs(b.low) + std::fabs(b.high));
  const double slack = kRelativeTolerance * reach;
  return a.low <= b.high + slack && b.low <= a.high + slack;
}

}  // namespace

bool trianglesIntersectMoller(const Triangle& a, const Triangle& b) {
  const Vec3 b_normal = normalOf(b);
  const Distances a_distances = distancesFrom(b, b_normal, a);
  if (a_distances.sides.onOneSide()) return false;
  const Vec3 a_normal = normalOf(a);
  const Distances b_distances = distancesFrom(a, a_normal, b);
  if (b_distances.sides.onOneSide()) return false;
  if (a_distances.sides.inPlane() || b_distances.sides.inPlane()) {
    const int axis = dominantAxis(a_normal);
    return trianglesMeet2d(dropAxis(a, axis), dropAxis(b, axis), roundedOrient2d);
  }
  const int axis = dominantAxis(cross(a_normal, b_normal));
  const double origin = a.v[0][axis];
  return overlap(coveredInterval(a, a_distances, axis, origin),
                 coveredInterval(b, b_distances, axis, origin));
}

}  // namespace odemesh
