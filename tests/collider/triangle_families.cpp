#include "collider/triangle_families.hpp"

#include <algorithm>
#include <cmath>

namespace odemesh::test {
namespace {

int sign(Int128 x) {
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

bool isZero(const IntPoint& p) {
  return p == IntPoint{};
}

bool originInSegment(const IntPoint& p, const IntPoint& q) {
  return isZero(cross(p, q)) && dot(p, q) <= 0;
}

bool originInTriangle(const IntPoint& p, const IntPoint& q, const IntPoint& r) {
  if (determinant(p, q, r) != 0) return false;
  const IntPoint n = cross(q - p, r - p);
  if (isZero(n)) return false;  // its edges are looked at by themselves
  return dot(n, cross(p, q)) >= 0 && dot(n, cross(q, r)) >= 0 && dot(n, cross(r, p)) >= 0;
}

bool originInTetrahedron(const IntPoint& p, const IntPoint& q, const IntPoint& r, const IntPoint& s) {
  const int volume = sign(determinant(q - p, r - p, s - p));
  if (volume == 0) return false;
  return volume * sign(determinant(q, r, s)) >= 0 && volume * sign(determinant(p, r, s)) <= 0 &&
         volume * sign(determinant(p, q, s)) >= 0 && volume * sign(determinant(p, q, r)) <= 0;
}

bool originInHull(const std::vector<IntPoint>& p) {
  const std::size_t n = p.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (isZero(p[i])) return true;
    for (std::size_t j = i + 1; j < n; ++j) {
      if (originInSegment(p[i], p[j])) return true;
      for (std::size_t k = j + 1; k < n; ++k) {
        if (originInTriangle(p[i], p[j], p[k])) return true;
        for (std::size_t l = k + 1; l < n; ++l) {
          if (originInTetrahedron(p[i], p[j], p[k], p[l])) return true;
        }
      }
    }
  }
  return false;
}

class Draw {
 public:
  explicit Draw(std::mt19937_64& random) : random_(random) {}

  std::int64_t upTo(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  IntPoint point(std::int64_t size) { return {upTo(-size, size), upTo(-size, size), upTo(-size, size)}; }
  IntTriangle triangle(std::int64_t size) { return {point(size), point(size), point(size)}; }
  IntPoint direction(std::int64_t size) {
    IntPoint d = point(size);
    while (isZero(d)) d = point(size);
    return d;
  }
  std::mt19937_64& engine() { return random_; }

 private:
  std::mt19937_64& random_;
};

IntTriangle mapped(const IntTriangle& t, const IntPoint (&rows)[3]) {
  IntTriangle out;
  for (int i = 0; i < 3; ++i) {
    out[i] = {static_cast<std::int64_t>(dot(rows[0], t[i])), static_cast<std::int64_t>(dot(rows[1], t[i])),
              static_cast<std::int64_t>(dot(rows[2], t[i]))};
  }
  return out;
}

IntPair flattened(IntPair pair) {
  for (IntPoint& p : pair.a) p.z = 0;
  for (IntPoint& p : pair.b) p.z = 0;
  return pair;
}

/// Six times a, and a random point of it, its corners and edges included with some probability.
IntPoint pointOnFace(IntTriangle& a, Draw& draw) {
  const std::int64_t i = draw.upTo(0, 6), j = draw.upTo(0, 6 - i);
  const IntPoint p = i * a[0] + (j * a[1] + (6 - i - j) * a[2]);
  for (IntPoint& corner : a) corner = 6 * corner;
  return p;
}

IntPoint pointOnEdge(IntTriangle& a, Draw& draw) {
  const std::int64_t i = draw.upTo(0, 6);
  const IntPoint p = i * a[0] + (6 - i) * a[1];
  for (IntPoint& corner : a) corner = 6 * corner;
  return p;
}

IntPair passingThrough(const IntTriangle& a, const IntPoint& p, Draw& draw) {
  const IntPoint d = draw.direction(9);
  return {a, {p + draw.upTo(0, 3) * d, p - draw.upTo(0, 3) * d, draw.point(40)}};
}

IntTriangle segmentOrPoint(Draw& draw) {
  const IntPoint from = draw.point(6), d = draw.point(3);
  return {from, from + draw.upTo(-3, 3) * d, from + draw.upTo(-3, 3) * d};
}

IntPair thinPair(Draw& draw, bool needle) {
  const IntPoint from = draw.point(20), d = draw.direction(20);
  const IntPoint far = from + 1000 * d;
  const IntPoint beside = draw.point(1) + (needle ? far : from + draw.upTo(0, 1000) * d);
  const IntPoint target = from + draw.upTo(0, 1000) * d;
  IntTriangle b = draw.triangle(2000);
  for (IntPoint& p : b) p = p + target;
  b[0] = target + draw.point(2);
  return {{from, far, beside}, b};
}

IntPair starPair(Draw& draw) {
  const std::int64_t s = draw.upTo(1, 100), x = draw.upTo(-1, 1), y = draw.upTo(-1, 1);
  return {{IntPoint{-6 * s, -3 * s, 0}, {6 * s, -3 * s, 0}, {0, 7 * s, 0}},
          {IntPoint{-6 * s + x, 4 * s + y, 0}, {6 * s + x, 4 * s + y, 0}, {x, -6 * s + y, 0}}};
}

IntPair zeroAreaPair(Draw& draw) {
  IntPair pair{segmentOrPoint(draw), draw.upTo(0, 1) ? segmentOrPoint(draw) : draw.triangle(4)};
  if (draw.upTo(0, 2) == 0) pair.a[0] = pair.b[draw.upTo(0, 2)], pair.a[1] = pair.a[0], pair.a[2] = pair.a[0];
  if (draw.upTo(0, 2) == 0) {  // along an edge of b, or the line through it
    const IntPoint d = pair.b[1] - pair.b[0];
    for (IntPoint& p : pair.a) p = pair.b[0] + draw.upTo(-1, 3) * d;
  }
  return pair;
}

IntPair drawUpright(Family family, Draw& draw) {
  IntTriangle a = draw.triangle(6), b = draw.triangle(6);
  switch (family) {
    case Family::kGeneric:
      return {draw.triangle(1 << 20), draw.triangle(1 << 20)};
    case Family::kSmallGrid:
      return {draw.triangle(2), draw.triangle(2)};
    case Family::kMediumGrid:
      return {draw.triangle(8), draw.triangle(8)};
    case Family::kSharedVertex:
      return {a, {a[0], b[1], b[2]}};
    case Family::kSharedEdge:
      return {a, {a[0], a[1], b[2]}};
    case Family::kVertexOnFace: {
      const IntPoint p = pointOnFace(a, draw);
      return {a, {p, p + b[1], p + b[2]}};
    }
    case Family::kEdgeThroughVertex:
      return passingThrough(a, a[0], draw);
    case Family::kEdgeThroughEdge: {
      const IntPoint p = pointOnEdge(a, draw);
      return passingThrough(a, p, draw);
    }
    case Family::kCoplanar:
      return flattened({a, b});
    case Family::kCoplanarTouching: {
      const IntPoint p = pointOnEdge(a, draw);
      return flattened({a, {p, p + b[1], p + b[2]}});
    }
    case Family::kStar:
      return starPair(draw);
    case Family::kNearlyCoplanar: {
      IntPair pair = flattened({draw.triangle(1 << 18), draw.triangle(1 << 18)});
      for (IntPoint& p : pair.b) p.z = draw.upTo(-1, 1);
      return pair;
    }
    case Family::kSliver:
      return thinPair(draw, false);
    case Family::kNeedle:
      return thinPair(draw, true);
    case Family::kZeroArea:
      return zeroAreaPair(draw);
    case Family::kCount:
      break;
  }
  return {a, b};
}

}  // namespace

Int128 dot(const IntPoint& a, const IntPoint& b) {
  return Int128{a.x} * b.x + Int128{a.y} * b.y + Int128{a.z} * b.z;
}

IntPoint cross(const IntPoint& a, const IntPoint& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

Int128 determinant(const IntPoint& a, const IntPoint& b, const IntPoint& c) {
  return dot(cross(a, b), c);
}

bool oracleMeets(const IntTriangle& a, const IntTriangle& b) {
  std::vector<IntPoint> differences;
  for (const IntPoint& p : a) {
    for (const IntPoint& q : b) differences.push_back(p - q);
  }
  return originInHull(differences);
}

std::string familyName(Family family) {
  static const char* const kNames[] = {"generic",
                                       "small grid",
                                       "medium grid",
                                       "shared vertex",
                                       "shared edge",
                                       "vertex on face",
                                       "edge through vertex",
                                       "edge through edge",
                                       "coplanar",
                                       "coplanar touching",
                                       "star",
                                       "nearly coplanar",
                                       "sliver",
                                       "needle",
                                       "zero area"};
  return kNames[static_cast<int>(family)];
}

IntPair drawPair(Family family, std::mt19937_64& random) {
  Draw draw(random);
  IntPair pair = drawUpright(family, draw);
  const std::int64_t slant = draw.upTo(0, 2) == 0 ? 0 : 25;
  const IntPoint rows[3] = {draw.point(slant) + IntPoint{1, 0, 0}, draw.point(slant) + IntPoint{0, 1, 0},
                            draw.point(slant) + IntPoint{0, 0, 1}};
  pair = {mapped(pair.a, rows), mapped(pair.b, rows)};
  std::shuffle(pair.a.begin(), pair.a.end(), random);
  std::shuffle(pair.b.begin(), pair.b.end(), random);
  if (draw.upTo(0, 1)) std::swap(pair.a, pair.b);
  return pair;
}

Triangle toTriangle(const IntTriangle& t, const IntPoint& offset, int exponent) {
  Triangle out;
  for (int i = 0; i < 3; ++i) {
    const IntPoint p = t[i] + offset;
    out.v[i] = {std::ldexp(static_cast<double>(p.x), exponent),
                std::ldexp(static_cast<double>(p.y), exponent),
                std::ldexp(static_cast<double>(p.z), exponent)};
  }
  return out;
}

}  // namespace odemesh::test
