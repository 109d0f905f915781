#include "narrow_phase/segment_triangle.hpp"

#include <algorithm>
#include <limits>

#include "narrow_phase/tolerance.hpp"
#include "vector_norms.hpp"

namespace odemesh {
namespace {

/// Cramer's rule on [-D, V1 - V0, V2 - V0] (t, u, v) = O - V0, each determinant as a triple product.
std::optional<SegmentHit> intersectLine(const Vec3& o, const Vec3& d, const Triangle& triangle,
                                        double t_limit) {
  const Vec3 e1 = triangle.v[1] - triangle.v[0], e2 = triangle.v[2] - triangle.v[0], to_o = o - triangle.v[0];
  const Vec3 normal = cross(e1, e2);
  const double determinant = -dot(d, normal);
  const double parallel = kRelativeTolerance * greatestComponent(d) * greatestComponent(normal);
  if (!(std::fabs(determinant) > parallel)) return std::nullopt;
  constexpr double e = kRelativeTolerance;
  const double t = dot(to_o, normal) / determinant;
  if (!(t >= -e && t <= t_limit + e)) return std::nullopt;
  const Vec3 moment = cross(to_o, d);
  const double u = dot(e2, moment) / determinant;
  const double v = -dot(e1, moment) / determinant;
  if (!(u >= -e && v >= -e && u + v <= 1 + e)) return std::nullopt;
  const double t_inside = std::clamp(t, 0.0, t_limit);
  return SegmentHit{t_inside, u, v, o + t_inside * d};
}

}  // namespace

std::optional<SegmentHit> intersectSegment(const Vec3& p, const Vec3& q, const Triangle& triangle) {
  return intersectLine(p, q - p, triangle, 1);
}

std::optional<SegmentHit> intersectRay(const Vec3& origin, const Vec3& direction, const Triangle& triangle) {
  return intersectLine(origin, direction, triangle, std::numeric_limits<double>::infinity());
}

}  // namespace odemesh
