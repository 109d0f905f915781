// Distances by trying every feature, in numbers of 113 bits. Slow and plain.
#pragma once

#include <algorithm>
#include <limits>

#include "narrow_phase/triangle.hpp"

namespace odemesh::test {

#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 Wide;
#else
using Wide = long double;  // 128 bits on AArch64
static_assert(std::numeric_limits<Wide>::digits > 100,
              "the oracle needs numbers of twice the precision of double");
#endif

struct WideVec3 {
  Wide x, y, z;

  WideVec3(Wide x_, Wide y_, Wide z_) : x(x_), y(y_), z(z_) {}
  WideVec3(const Vec3& a) : x(a.x), y(a.y), z(a.z) {}
  friend WideVec3 operator+(const WideVec3& a, const WideVec3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend WideVec3 operator-(const WideVec3& a, const WideVec3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend WideVec3 operator*(Wide s, const WideVec3& a) { return {s * a.x, s * a.y, s * a.z}; }
};

inline Wide dot(const WideVec3& a, const WideVec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline WideVec3 cross(const WideVec3& a, const WideVec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Wide lengthSq(const WideVec3& a) {
  return dot(a, a);
}

inline Wide pointSegmentSq(const WideVec3& p, const WideVec3& a, const WideVec3& b) {
  const WideVec3 d = b - a;
  const Wide d_sq = lengthSq(d);
  Wide t = d_sq > 0 ? dot(p - a, d) / d_sq : Wide(0);
  t = std::min(std::max(t, Wide(0)), Wide(1));
  return lengthSq(p - (a + t * d));
}

inline Wide pointTriangleSq(const Vec3& point, const Triangle& t) {
  const WideVec3 p(point), a(t.v[0]), b(t.v[1]), c(t.v[2]), n = cross(b - a, c - a);
  Wide best = std::min({pointSegmentSq(p, a, b), pointSegmentSq(p, b, c), pointSegmentSq(p, c, a)});
  const bool over_face = dot(n, cross(b - a, p - a)) >= 0 && dot(n, cross(c - b, p - b)) >= 0 &&
                         dot(n, cross(a - c, p - c)) >= 0 && lengthSq(n) > 0;
  if (over_face) {
    const Wide height = dot(n, p - a);
    best = std::min(best, height * height / lengthSq(n));
  }
  return best;
}

inline Wide segmentSegmentSq(const Vec3& p1, const Vec3& q1, const Vec3& p2, const Vec3& q2) {
  const WideVec3 a(p1), b(q1), c(p2), d(q2), u = b - a, v = d - c, n = cross(u, v);
  Wide best = std::min(
      {pointSegmentSq(a, c, d), pointSegmentSq(b, c, d), pointSegmentSq(c, a, b), pointSegmentSq(d, a, b)});
  const Wide n_sq = lengthSq(n);
  if (!(n_sq > 0)) return best;
  const Wide s = dot(cross(c - a, v), n) / n_sq, t = dot(cross(c - a, u), n) / n_sq;
  if (s < 0 || s > 1 || t < 0 || t > 1) return best;
  return std::min(best, lengthSq(a + s * u - (c + t * v)));
}

/// For triangles that don't intersect.
inline Wide triangleTriangleSq(const Triangle& a, const Triangle& b) {
  Wide best = pointTriangleSq(a.v[0], b);
  for (int i = 0; i < 3; ++i) {
    best = std::min({best, pointTriangleSq(a.v[i], b), pointTriangleSq(b.v[i], a)});
    for (int j = 0; j < 3; ++j)
      best = std::min(best, segmentSegmentSq(a.v[i], a.v[(i + 1) % 3], b.v[j], b.v[(j + 1) % 3]));
  }
  return best;
}

/// Of the distance, from its square.
inline double relativeError(double distance_sq, Wide exact_sq) {
  if (exact_sq == 0) return distance_sq == 0 ? 0 : 1;
  const double e = static_cast<double>((Wide(distance_sq) - exact_sq) / (2 * exact_sq));
  return e < 0 ? -e : e;
}

}  // namespace odemesh::test
