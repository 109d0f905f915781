#include "separation/point_triangle.hpp"

#include <algorithm>
#include <limits>

#include "separation/range.hpp"

namespace odemesh {
namespace {

/// Eberly's quadratic: the triangle is V0 + s e0 + t e1, and `d` runs from the query to V0.
struct Quadratic {
  Vec3 e0, e1, d;
};

/// Where the gradient vanishes, times the determinant, so that no division is needed to compare. Written with
/// cross products: be - cd, bd - ae and ac - b^2 as printed cancel badly for thin triangles.
struct Foot {
  double s, t, determinant;
};

/// Lesser determinants have no reciprocal; what is so thin is as good as its edges.
constexpr double kLeastDeterminant = std::numeric_limits<double>::min();

Foot footOf(const Quadratic& q) {
  const Vec3 normal = cross(q.e0, q.e1);
  return {dot(normal, cross(q.e1, q.d)), dot(normal, cross(q.d, q.e0)), lengthSq(normal)};
}

int regionOf(const Foot& foot) {
  if (foot.s + foot.t <= foot.determinant) return foot.s < 0 ? (foot.t < 0 ? 4 : 3) : (foot.t < 0 ? 5 : 0);
  return foot.s < 0 ? 2 : foot.t < 0 ? 6 : 1;
}

struct Place {
  double s, t;
  TriangleFeature feature;
};

/// An edge by its parameter from the first corner to the second.
TriangleFeature featureOnEdge(double m, TriangleFeature first, TriangleFeature edge, TriangleFeature second) {
  return m == 0 ? first : m == 1 ? second : edge;
}

Place onEdge01(const Quadratic& q) {
  const double m = clampedRatio(-dot(q.e0, q.d), lengthSq(q.e0));
  return {m, 0,
          featureOnEdge(m, TriangleFeature::kVertex0, TriangleFeature::kEdge01, TriangleFeature::kVertex1)};
}

Place onEdge12(const Quadratic& q) {
  const Vec3 along = q.e1 - q.e0;
  const double m = clampedRatio(-dot(along, q.d + q.e0), lengthSq(along));
  return {1 - m, m,
          featureOnEdge(m, TriangleFeature::kVertex1, TriangleFeature::kEdge12, TriangleFeature::kVertex2)};
}

Place onEdge20(const Quadratic& q) {
  const double m = clampedRatio(-dot(q.e1, q.d), lengthSq(q.e1));
  return {0, m,
          featureOnEdge(m, TriangleFeature::kVertex0, TriangleFeature::kEdge20, TriangleFeature::kVertex2)};
}

/// In the regions around a corner one of the two edges that meet there holds the closest point; the one along
/// which the distance falls from the corner, if there is one. q.d + e is half the gradient at the corner,
/// seen in space.
Place placeIn(int region, const Quadratic& q, const Foot& foot) {
  switch (region) {
    case 0: {
      const double inverse = 1 / foot.determinant;
      return {foot.s * inverse, foot.t * inverse, TriangleFeature::kFace};
    }
    case 1:
      return onEdge12(q);
    case 2:
      return dot(q.e1 - q.e0, q.d + q.e1) > 0 ? onEdge12(q) : onEdge20(q);
    case 3:
      return onEdge20(q);
    case 4:
      return dot(q.e0, q.d) < 0 ? onEdge01(q) : onEdge20(q);
    case 5:
      return onEdge01(q);
    default:
      return dot(q.e1 - q.e0, q.d + q.e0) < 0 ? onEdge12(q) : onEdge01(q);
  }
}

Vec3 fromQuery(const Quadratic& q, const Place& place) {
  return q.d + place.s * q.e0 + place.t * q.e1;
}

/// For triangles without area or with hardly any: an edge is never farther than the triangle is thick.
Place placeOnThin(const Quadratic& q, const Foot& foot) {
  Place best = onEdge01(q);
  double best_sq = lengthSq(fromQuery(q, best));
  const auto consider = [&](const Place& place) {
    const double distance_sq = lengthSq(fromQuery(q, place));
    if (distance_sq >= best_sq) return;
    best = place;
    best_sq = distance_sq;
  };
  consider(onEdge12(q));
  consider(onEdge20(q));
  if (foot.determinant >= kLeastDeterminant && regionOf(foot) == 0) consider(placeIn(0, q, foot));
  return best;
}

/// The same quadratic with lengths near 1 if theirs are out of range; s and t stay what they are.
Quadratic inRange(const Quadratic& q, double a, double c) {
  if (isInRange(std::max(std::max(a, c), lengthSq(q.d)))) return q;
  const double scale = scaleToOne({q.e0, q.e1, q.d});
  return {scale * q.e0, scale * q.e1, scale * q.d};
}

Quadratic quadraticOf(const Vec3& p, const Triangle& triangle) {
  return {triangle.v[1] - triangle.v[0], triangle.v[2] - triangle.v[0], triangle.v[0] - p};
}

}  // namespace

ClosestOnTriangle closestOnTriangle(const Vec3& p, const Triangle& triangle) {
  const Quadratic given = quadraticOf(p, triangle);
  const Quadratic q = inRange(given, lengthSq(given.e0), lengthSq(given.e1));
  const Foot foot = footOf(q);
  const double thin = std::max(kThinAngleSq * lengthSq(q.e0) * lengthSq(q.e1), kLeastDeterminant);
  const bool is_thin = foot.determinant <= thin;
  const Place place = is_thin ? placeOnThin(q, foot) : placeIn(regionOf(foot), q, foot);
  const Vec3 difference = -fromQuery(given, place);
  return {triangle.v[0] + place.s * given.e0 + place.t * given.e1,
          difference,
          lengthSq(difference),
          place.s,
          place.t,
          place.feature};
}

int regionOf(const Vec3& p, const Triangle& triangle) {
  const Quadratic given = quadraticOf(p, triangle);
  const Foot foot = footOf(inRange(given, lengthSq(given.e0), lengthSq(given.e1)));
  return foot.determinant > 0 ? regionOf(foot) : -1;
}

}  // namespace odemesh
