#include "separation/triangle_triangle.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "narrow_phase/intersect_exact.hpp"
#include "narrow_phase/segment_triangle.hpp"
#include "narrow_phase/triangle.hpp"
#include "separation/point_triangle.hpp"
#include "separation/range.hpp"
#include "separation/segment_segment.hpp"

namespace odemesh {
namespace {

/// The best pair of points so far.
struct Candidate {
  double distance_sq = std::numeric_limits<double>::infinity();
  Vec3 from2to1, witness1, witness2;

  void consider(double other_sq, const Vec3& other_from2to1, const Vec3& point1, const Vec3& point2) {
    if (other_sq < distance_sq) *this = {other_sq, other_from2to1, point1, point2};
  }
};

/// Does the slab between two closest points of edges part the triangles? The rest of each edge is outside the
/// slab already; the opposite corners decide.
bool slabParts(const ClosestOnSegments& pair, const Vec3& opposite1, const Vec3& opposite2) {
  return dot(opposite1 - pair.point1, pair.difference) >= 0 &&
         dot(opposite2 - pair.point2, pair.difference) <= 0;
}

/// True if the closest pair is known for certain.
bool considerEdges(const Triangle& a, const Triangle& b, Candidate& best) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const auto pair = closestOnSegments(a.v[i], a.v[nextCorner(i)], b.v[j], b.v[nextCorner(j)]);
      if (!(pair.distance_sq < best.distance_sq)) continue;
      best.consider(pair.distance_sq, pair.difference, pair.point1, pair.point2);
      if (slabParts(pair, a.v[(i + 2) % 3], b.v[(j + 2) % 3])) return true;
    }
  }
  return false;
}

void considerCorners(const Triangle& a, const Triangle& b, Candidate& best) {
  for (const Vec3& corner : a.v) {
    const auto on_b = closestOnTriangle(corner, b);
    best.consider(on_b.distance_sq, on_b.difference, corner, on_b.point);
  }
  for (const Vec3& corner : b.v) {
    const auto on_a = closestOnTriangle(corner, a);
    best.consider(on_a.distance_sq, -on_a.difference, on_a.point, corner);
  }
}

Candidate closestPair(const Triangle& a, const Triangle& b) {
  Candidate best;
  if (!considerEdges(a, b, best)) considerCorners(a, b, best);
  return best;
}

std::optional<Vec3> piercingPoint(const Triangle& edges, const Triangle& face) {
  for (int i = 0; i < 3; ++i) {
    if (const auto hit = intersectSegment(edges.v[i], edges.v[nextCorner(i)], face)) return hit->point;
  }
  return std::nullopt;
}

/// Where an edge of one pierces the other; for coplanar pairs, and those that touch, where they are closest.
Vec3 commonPoint(const Triangle& a, const Triangle& b) {
  if (const auto point = piercingPoint(a, b)) return *point;
  if (const auto point = piercingPoint(b, a)) return *point;
  return closestPair(a, b).witness1;
}

Triangle scaled(const Triangle& t, double scale) {
  return {{scale * t.v[0], scale * t.v[1], scale * t.v[2]}};
}

TriangleSeparation separationInRange(const Triangle& a, const Triangle& b) {
  if (trianglesIntersect(a, b)) {
    const Vec3 point = commonPoint(a, b);
    return {0, {}, point, point};
  }
  const Candidate best = closestPair(a, b);
  return {std::sqrt(best.distance_sq), best.from2to1, best.witness1, best.witness2};
}

}  // namespace

TriangleSeparation triangleSeparation(const Triangle& triangle1, const Triangle& triangle2) {
  const Vec3& o = triangle1.v[0];
  const double scale = scaleToOne(
      {triangle1.v[1] - o, triangle1.v[2] - o, triangle2.v[0] - o, triangle2.v[1] - o, triangle2.v[2] - o});
  // Squares of lengths stay in range between these.
  if (scale > 1e-100 && scale < 1e100) return separationInRange(triangle1, triangle2);
  const TriangleSeparation found = separationInRange(scaled(triangle1, scale), scaled(triangle2, scale));
  const double back = 1 / scale;
  return {back * found.distance, back * found.from2to1, back * found.witness1, back * found.witness2};
}

}  // namespace odemesh
