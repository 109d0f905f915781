#include "separation/segment_segment.hpp"

#include <algorithm>
#include <iterator>

#include "separation/range.hpp"

namespace odemesh {
namespace {

/// The segments run along d1 and d2; `r` leads from the start of the second to the start of the first.
struct Lines {
  Vec3 d1, d2, r;
  double d1_sq, d2_sq;
};

Lines linesOf(const Vec3& d1, const Vec3& d2, const Vec3& r) {
  return {d1, d2, r, lengthSq(d1), lengthSq(d2)};
}

struct Parameters {
  double s, t;
};

Vec3 differenceAt(const Lines& l, const Parameters& at) {
  return l.r + at.s * l.d1 - at.t * l.d2;
}

/// The parameter on one segment that is closest to a fixed point of the other.
double nearestS(const Lines& l, double t) {
  return clampedRatio(dot(l.d1, t * l.d2 - l.r), l.d1_sq);
}
double nearestT(const Lines& l, double s) {
  return clampedRatio(dot(l.d2, l.r + s * l.d1), l.d2_sq);
}

/// `normal` is d1 x d2. The clamped t calls for another s; t itself was solved for the clamped s.
Parameters solveCrossing(const Lines& l, const Vec3& normal, double normal_sq) {
  const double s = clampedRatio(dot(normal, cross(l.d2, l.r)), normal_sq);
  const double t = nearestT(l, s);
  return t == 0 || t == 1 ? Parameters{nearestS(l, t), t} : Parameters{s, t};
}

/// Among parallel segments, an end of one is always among the closest points.
Parameters solveParallel(const Lines& l, const Vec3& normal, double normal_sq) {
  const Parameters candidates[] = {{0, nearestT(l, 0)},
                                   {1, nearestT(l, 1)},
                                   {nearestS(l, 0), 0},
                                   {nearestS(l, 1), 1},
                                   solveCrossing(l, normal, normal_sq)};
  return *std::min_element(std::begin(candidates), std::end(candidates),
                           [&l](const Parameters& a, const Parameters& b) {
                             return lengthSq(differenceAt(l, a)) < lengthSq(differenceAt(l, b));
                           });
}

Parameters solve(const Lines& l) {
  const Vec3 normal = cross(l.d1, l.d2);
  const double normal_sq = lengthSq(normal);
  const bool is_parallel = normal_sq <= kThinAngleSq * l.d1_sq * l.d2_sq;
  return is_parallel ? solveParallel(l, normal, normal_sq) : solveCrossing(l, normal, normal_sq);
}

Parameters solveInRange(const Lines& l) {
  if (isInRange(std::max(std::max(l.d1_sq, l.d2_sq), lengthSq(l.r)))) return solve(l);
  const double scale = scaleToOne({l.d1, l.d2, l.r});
  return solve(linesOf(scale * l.d1, scale * l.d2, scale * l.r));
}

}  // namespace

ClosestOnSegments closestOnSegments(const Vec3& p1, const Vec3& q1, const Vec3& p2, const Vec3& q2) {
  const Lines l = linesOf(q1 - p1, q2 - p2, p1 - p2);
  const Parameters at = solveInRange(l);
  const Vec3 difference = differenceAt(l, at);
  return {at.s, at.t, p1 + at.s * l.d1, p2 + at.t * l.d2, difference, lengthSq(difference)};
}

}  // namespace odemesh
