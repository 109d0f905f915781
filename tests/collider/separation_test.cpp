#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "collider/distance_oracle.hpp"
#include "collider/triangle_families.hpp"
#include "narrow_phase/intersect_exact.hpp"
#include "separation/point_triangle.hpp"
#include "separation/segment_segment.hpp"
#include "separation/triangle_triangle.hpp"

namespace odemesh {
namespace {

using test::relativeError;
using test::toTriangle;

class RandomShapes {
 public:
  explicit RandomShapes(unsigned seed) : random_(seed) {}

  double number(double low = -1, double high = 1) { return low + (high - low) * uniform_(random_); }
  Vec3 point(double size = 1) { return {size * number(), size * number(), size * number()}; }
  Triangle triangle() { return {{point(), point(), point()}}; }
  /// Angles of at least about 20 degrees.
  Triangle wellShaped() {
    for (;;) {
      const Triangle t = triangle();
      const Vec3 e0 = t.v[1] - t.v[0], e1 = t.v[2] - t.v[1], e2 = t.v[0] - t.v[2];
      const double longest = std::max({lengthSq(e0), lengthSq(e1), lengthSq(e2)});
      if (length(cross(e0, e2)) > 0.3 * longest && longest > 0.1) return t;
    }
  }

 private:
  std::mt19937_64 random_;
  std::uniform_real_distribution<double> uniform_{0, 1};
};

Vec3 times(double s, const Vec3& a) {
  return s * a;
}
Triangle times(double s, const Triangle& t) {
  return {{s * t.v[0], s * t.v[1], s * t.v[2]}};
}
Vec3 pointAt(const Triangle& t, double s, double u) {
  return t.v[0] + s * (t.v[1] - t.v[0]) + u * (t.v[2] - t.v[0]);
}

// ---- Point and triangle ----

TEST(PointTriangle, DistanceIsGoodToTwelveDigitsInEveryRegion) {
  RandomShapes random(31);
  int seen[7] = {};
  double worst = 0;
  for (int trial = 0; trial < 50000; ++trial) {
    const Triangle t = random.wellShaped();
    const Vec3 p = random.point(trial % 2 ? 1 : 20);
    const auto found = closestOnTriangle(p, t);
    ++seen[regionOf(p, t)];
    worst = std::max(worst, relativeError(found.distance_sq, test::pointTriangleSq(p, t)));
    ASSERT_NEAR(length(found.point - pointAt(t, found.s, found.t)), 0, 1e-14);
    ASSERT_NEAR(length(p - found.point - found.difference), 0, 1e-13);
  }
  EXPECT_LT(worst, 1e-12);
  RecordProperty("worst", std::to_string(worst * 1e15) + "e-15");
  for (int region = 0; region < 7; ++region) EXPECT_GT(seen[region], 500) << "region " << region;
}

/// The signs of Eberly's s, t and s + t - det in integers.
int exactRegion(const test::IntPoint& p, const test::IntTriangle& v) {
  const test::IntPoint e0 = v[1] - v[0], e1 = v[2] - v[0], d = v[0] - p;
  const test::Int128 a = dot(e0, e0), b = dot(e0, e1), c = dot(e1, e1), f = dot(e0, d), g = dot(e1, d);
  const test::Int128 determinant = a * c - b * b, s = b * g - c * f, t = b * f - a * g;
  if (determinant == 0) return -1;
  if (s + t <= determinant) return s < 0 ? (t < 0 ? 4 : 3) : (t < 0 ? 5 : 0);
  return s < 0 ? 2 : t < 0 ? 6 : 1;
}

TEST(PointTriangle, RegionIsNeverWrongOnGridsBordersIncluded) {
  std::mt19937_64 random(32);
  const auto point = [&](std::int64_t size) {
    const auto n = [&] { return static_cast<std::int64_t>(random() % (2 * size + 1)) - size; };
    return test::IntPoint{n(), n(), n()};
  };
  for (const std::int64_t size : {3, 50, 1000}) {
    for (int trial = 0; trial < 20000; ++trial) {
      const test::IntTriangle v{point(size), point(size), point(size)};
      const test::IntPoint p = point(2 * size);
      const Vec3 query = toTriangle({p, p, p}).v[0];
      ASSERT_EQ(regionOf(query, toTriangle(v)), exactRegion(p, v)) << "size " << size << ", trial " << trial;
    }
  }
}

TEST(PointTriangle, FeatureIsWhereThePointWasLiftedFrom) {
  // Counter-clockwise from above; queries are moved off a known feature along a direction of its normal cone.
  const Triangle t{{{0, 0, 0}, {4, 0, 0}, {1, 3, 0}}};
  const struct {
    Vec3 closest, away;
    TriangleFeature feature;
  } kCases[] = {{{1, 1, 0}, {0, 0, 2}, TriangleFeature::kFace},
                {{2, 0, 0}, {0, -1, 1}, TriangleFeature::kEdge01},
                {{2.5, 1.5, 0}, {1, 1, -2}, TriangleFeature::kEdge12},
                {{0.5, 1.5, 0}, {-3, 1, 0}, TriangleFeature::kEdge20},
                {{0, 0, 0}, {-1, -1, 1}, TriangleFeature::kVertex0},
                {{4, 0, 0}, {3, 0.5, 0}, TriangleFeature::kVertex1},
                {{1, 3, 0}, {0, 2, -1}, TriangleFeature::kVertex2}};
  for (const auto& c : kCases) {
    for (const double scale : {1e-99, 1e-70, 1e-30, 1e-3, 1.0, 1e30, 1e70, 1e99}) {
      const auto found = closestOnTriangle(times(scale, c.closest + c.away), times(scale, t));
      EXPECT_EQ(found.feature, c.feature) << "scale " << scale;
      EXPECT_NEAR(length(found.point / scale - c.closest), 0, 1e-14) << "scale " << scale;
      EXPECT_NEAR(found.distance_sq / scale / scale, lengthSq(c.away), 1e-13) << "scale " << scale;
    }
  }
}

TEST(PointTriangle, WithoutAreaIsItsEdges) {
  RandomShapes random(33);
  for (int trial = 0; trial < 2000; ++trial) {
    const Vec3 from = random.point(), along = random.point(), p = random.point(3);
    const Triangle line{{from, from + 2 * along, from - along}}, dot{{from, from, from}};
    EXPECT_LT(relativeError(closestOnTriangle(p, line).distance_sq, test::pointTriangleSq(p, line)), 1e-12);
    EXPECT_LT(relativeError(closestOnTriangle(p, dot).distance_sq, test::pointTriangleSq(p, dot)), 1e-12);
  }
  EXPECT_EQ(regionOf({1, 1, 1}, {{{0, 0, 0}, {1, 0, 0}, {3, 0, 0}}}), -1);
}

TEST(PointTriangle, SliversAreGoodToTheirThickness) {
  RandomShapes random(34);
  for (int trial = 0; trial < 3000; ++trial) {
    Triangle t = random.wellShaped();
    const double thickness = std::pow(10, random.number(-18, -2));
    t.v[2] = t.v[0] + random.number(-1, 2) * (t.v[1] - t.v[0]) + thickness * random.point();
    for (const Vec3& p : {random.point(2), pointAt(t, 0.3, 0.3) + 1e-3 * random.point()}) {
      const double exact = std::sqrt(static_cast<double>(test::pointTriangleSq(p, t)));
      ASSERT_NEAR(std::sqrt(closestOnTriangle(p, t).distance_sq), exact, 1e-8 * thickness + 1e-14);
    }
  }
}

TEST(PointTriangle, SliversThinnerThanSquaresCanTellAreTheirEdges) {
  const double unit = 1e-72;
  const Triangle t{{{0, 0, 0}, {-1e84, 0, 0}, unit * Vec3{2, 2, 2}}};
  EXPECT_NEAR(std::sqrt(closestOnTriangle(unit * Vec3{-1, 1, 1}, t).distance_sq) / unit, std::numbers::sqrt2,
              1e-12);
}

// ---- Segments ----

TEST(SegmentSegment, DistanceIsGoodToTwelveDigits) {
  RandomShapes random(35);
  double worst = 0;
  int compared = 0;
  for (int trial = 0; trial < 50000; ++trial) {
    const Vec3 p1 = random.point(), q1 = random.point(), p2 = random.point(), q2 = random.point();
    const auto found = closestOnSegments(p1, q1, p2, q2);
    const auto exact = test::segmentSegmentSq(p1, q1, p2, q2);
    ASSERT_NEAR(length(found.point1 - found.point2 - found.difference), 0, 1e-15);
    const Vec3 d1 = q1 - p1, d2 = q2 - p2;
    const bool is_well_shaped = length(cross(d1, d2)) > 0.1 * length(d1) * length(d2) && exact > 1e-4;
    if (!is_well_shaped) continue;
    ++compared;
    worst = std::max(worst, relativeError(found.distance_sq, exact));
  }
  EXPECT_LT(worst, 1e-12);
  EXPECT_GT(compared, 30000);
}

TEST(SegmentSegment, ParallelNearlyParallelAndPointsAreNoExceptions) {
  RandomShapes random(36);
  for (int trial = 0; trial < 5000; ++trial) {
    const Vec3 p1 = random.point(), d = random.point(), p2 = random.point();
    const Vec3 q1 = p1 + d;
    const double angle = trial % 3 == 0 ? 0 : std::pow(10, random.number(-16, -3));
    const Vec3 q2 = p2 + random.number(-2, 2) * (d + angle * random.point());
    for (const auto& [a, b] : {std::pair{q1, q2}, std::pair{p1, q2}, std::pair{q1, p2}, std::pair{p1, p2}}) {
      const auto exact = test::segmentSegmentSq(p1, a, p2, b);
      if (exact < 1e-4) continue;
      ASSERT_LT(relativeError(closestOnSegments(p1, a, p2, b).distance_sq, exact), 1e-12)
          << "trial " << trial;
      ASSERT_LT(relativeError(closestOnSegments(a, p1, p2, b).distance_sq, exact), 1e-12)
          << "trial " << trial;
    }
  }
}

TEST(SegmentSegment, ScaleDoesNotMatter) {
  RandomShapes random(37);
  for (int trial = 0; trial < 500; ++trial) {
    const Vec3 p1 = random.point(), q1 = random.point(), p2 = random.point(), q2 = random.point();
    const auto one = closestOnSegments(p1, q1, p2, q2);
    for (const int exponent : {-330, -250, -100, 100, 250, 330}) {
      const double k = std::ldexp(1.0, exponent);
      const auto found = closestOnSegments(k * p1, k * q1, k * p2, k * q2);
      ASSERT_NEAR(found.s, one.s, 1e-12);
      ASSERT_NEAR(found.t, one.t, 1e-12);
    }
  }
}

// Nathan: both parameters are clamped by themselves. When the corner of one edge is over the inside of the
// other, that is not the closest pair, and his supplement by corner pairs does not have it either.
TEST(Errata, SegmentIsSolvedAgainAfterClamping) {
  const Vec3 p1{0, 0, 0}, q1{10, 0, 0}, p2{4, 1, 0}, q2{8, 3, 0};
  const Vec3 e1 = q1 - p1, e2 = q2 - p2, q = p1 - p2;
  const double a = dot(e1, e1), b = dot(e1, e2), c = dot(e2, e2);
  const double determinant = a * c - b * b;
  const double s1 = std::clamp((b * dot(e2, q) - c * dot(e1, q)) / determinant, 0.0, 1.0);
  const double s2 = std::clamp((a * dot(e2, q) - b * dot(e1, q)) / determinant, 0.0, 1.0);
  const double printed = length(q + s1 * e1 - s2 * e2);
  const double corners = std::min({length(p1 - p2), length(p1 - q2), length(q1 - p2), length(q1 - q2)});
  const auto found = closestOnSegments(p1, q1, p2, q2);
  EXPECT_DOUBLE_EQ(std::sqrt(found.distance_sq), 1);  // from p2 straight down
  EXPECT_DOUBLE_EQ(found.s, 0.4);
  EXPECT_GT(std::min(printed, corners), 1.5);
}

// Nathan: an epsilon in the denominator against 0/0.
TEST(Errata, ParallelIsABranchNotAnEpsilon) {
  // Nearly parallel edges of a few millimetres that all but cross: the epsilon is the larger part of the
  // denominator.
  const Vec3 p1{0, 0, 0}, q1{2e-3, 0, 0}, p2{0, -1e-4, 1e-6}, q2{2e-3, 1e-4, 1e-6};
  const Vec3 e1 = q1 - p1, e2 = q2 - p2, q = p1 - p2;
  const double a = dot(e1, e1), b = dot(e1, e2), c = dot(e2, e2), epsilon = 1e-9;
  const double s1 = (b * dot(e2, q) - c * dot(e1, q)) / (a * c - b * b + epsilon);
  EXPECT_LT(s1, 0.1) << "the printed answer has moved to the end";
  EXPECT_NEAR(closestOnSegments(p1, q1, p2, q2).s, 0.5, 1e-9);
  // Truly parallel: the printed formula takes s1 = 0 for a solution, whatever lies there.
  const auto apart = closestOnSegments({0, 0, 0}, {1, 0, 0}, {3, 1, 0}, {5, 1, 0});
  EXPECT_DOUBLE_EQ(apart.s, 1);
  EXPECT_DOUBLE_EQ(apart.distance_sq, 5);
}

// Eberly prints region 2 and calls 4 and 6 similar. His block for 2, as it stands, is wrong there.
TEST(Errata, CornerRegionsAreDerivedNotCopied) {
  const auto printed_region2 = [](const Vec3& p, const Triangle& t) {
    const Vec3 e0 = t.v[1] - t.v[0], e1 = t.v[2] - t.v[0], diff = t.v[0] - p;
    const double a = dot(e0, e0), b = dot(e0, e1), c = dot(e1, e1), d = dot(e0, diff), e = dot(e1, diff);
    const double tmp0 = b + d, tmp1 = c + e;
    double s = 0, u = tmp1 <= 0 ? 1 : e >= 0 ? 0 : -e / c;
    if (tmp1 > tmp0) {
      s = std::min(1.0, (tmp1 - tmp0) / (a - 2 * b + c));
      u = 1 - s;
    }
    return length(pointAt(t, s, u) - p);
  };
  // Obtuse at the corner in question, so that the closest point is on an edge, though the foot is around the
  // corner.
  const struct {
    int region;
    Triangle triangle;
    Vec3 p;
    double distance;
  } kCases[] = {{4, {{{0, 0, 0}, {4, 0, 0}, {-3, 4, 0}}}, {1, -1.5, 0}, 1.5},
                {6, {{{0, 0, 0}, {4, 0, 0}, {7, 4, 0}}}, {2.9, -1.6, 0}, 1.6}};
  for (const auto& c : kCases) {
    ASSERT_EQ(regionOf(c.p, c.triangle), c.region);
    EXPECT_DOUBLE_EQ(std::sqrt(closestOnTriangle(c.p, c.triangle).distance_sq), c.distance)
        << "region " << c.region;
    EXPECT_GT(printed_region2(c.p, c.triangle), 1.1 * c.distance) << "region " << c.region;
  }
}

// ---- Triangles ----

void expectConsistent(const TriangleSeparation& found, const Triangle& a, const Triangle& b, double scale) {
  EXPECT_NEAR(length(found.from2to1), found.distance, 1e-14 * scale);
  EXPECT_NEAR(length(found.witness1 - found.witness2 - found.from2to1), 0, 1e-14 * scale);
  EXPECT_NEAR(std::sqrt(closestOnTriangle(found.witness1, a).distance_sq), 0, 1e-14 * scale);
  EXPECT_NEAR(std::sqrt(closestOnTriangle(found.witness2, b).distance_sq), 0, 1e-14 * scale);
}

TEST(TriangleTriangle, SeparationIsGoodToTwelveDigits) {
  RandomShapes random(38);
  double worst = 0;
  int compared = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const Triangle a = random.wellShaped();
    Triangle b = random.wellShaped();
    const Vec3 away = random.point(trial % 3 == 0 ? 5 : 1);
    for (Vec3& p : b.v) p += away;
    const TriangleSeparation found = triangleSeparation(a, b);
    expectConsistent(found, a, b, 10);
    ASSERT_EQ(found.distance == 0, trianglesIntersect(a, b));
    if (found.distance < 0.01) continue;
    ++compared;
    worst = std::max(worst, relativeError(found.distance * found.distance, test::triangleTriangleSq(a, b)));
    const TriangleSeparation other = triangleSeparation(b, a);
    EXPECT_NEAR(other.distance, found.distance, 1e-13);
    EXPECT_NEAR(length(other.from2to1 + found.from2to1), 0, 1e-6);
  }
  EXPECT_LT(worst, 1e-12);
  EXPECT_GT(compared, 5000);
}

TEST(TriangleTriangle, VectorRunsFromTheSecondToTheFirst) {
  const Triangle floor{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}}, above{{{1, 1, 2}, {2, 1, 3}, {1, 2, 3}}};
  const TriangleSeparation found = triangleSeparation(above, floor);
  EXPECT_DOUBLE_EQ(found.distance, 2);
  EXPECT_NEAR(length(found.from2to1 - Vec3{0, 0, 2}), 0, 1e-15);
  EXPECT_NEAR(length(found.witness1 - Vec3{1, 1, 2}), 0, 1e-15);
  EXPECT_NEAR(length(found.witness2 - Vec3{1, 1, 0}), 0, 1e-15);
}

TEST(TriangleTriangle, EveryFamilyAgreesWithTheOracle) {
  for (int i = 0; i < static_cast<int>(test::Family::kCount); ++i) {
    const auto family = static_cast<test::Family>(i);
    std::mt19937_64 random(39);
    for (int trial = 0; trial < 1000; ++trial) {
      const test::IntPair pair = drawPair(family, random);
      const Triangle a = toTriangle(pair.a), b = toTriangle(pair.b);
      double size = 0;
      for (const Triangle* t : {&a, &b}) {
        for (const Vec3& p : t->v) size = std::max(size, length(p - a.v[0]));
      }
      const TriangleSeparation found = triangleSeparation(a, b);
      const bool meet = oracleMeets(pair.a, pair.b);
      const double exact = meet ? 0 : std::sqrt(static_cast<double>(test::triangleTriangleSq(a, b)));
      ASSERT_NEAR(found.distance, exact, 1e-14 * size + 1e-12 * exact)
          << familyName(family) << ", trial " << trial;
      if (!meet) continue;
      const double off = std::sqrt(static_cast<double>(
          std::max(test::pointTriangleSq(found.witness1, a), test::pointTriangleSq(found.witness2, b))));
      // A millionth of a degree between the planes magnifies the rounding along the line where they cross.
      ASSERT_LE(off, 1e-7 * size) << familyName(family) << ", trial " << trial;
    }
  }
}

TEST(TriangleTriangle, HugeAndTinyTrianglesAreTheSame) {
  RandomShapes random(40);
  for (int trial = 0; trial < 300; ++trial) {
    const Triangle a = random.wellShaped();
    Triangle b = random.wellShaped();
    for (Vec3& p : b.v) p.x += 2.5;
    const TriangleSeparation one = triangleSeparation(a, b);
    for (const int exponent : {-1000, -700, -330, -250, -100, 100, 250, 330}) {
      const double k = std::ldexp(1.0, exponent);
      const TriangleSeparation found = triangleSeparation(times(k, a), times(k, b));
      ASSERT_NEAR(std::ldexp(found.distance, -exponent), one.distance, 1e-14) << "2^" << exponent;
    }
  }
}

}  // namespace
}  // namespace odemesh
