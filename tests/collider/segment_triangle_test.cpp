#include "narrow_phase/segment_triangle.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "narrow_phase/intersect_exact.hpp"

namespace odemesh {
namespace {

const Triangle kFloor{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};

TEST(SegmentTriangle, GivesParametersAndPoint) {
  const auto hit = intersectSegment({1, 2, 3}, {1, 2, -1}, kFloor);
  ASSERT_TRUE(hit);
  EXPECT_DOUBLE_EQ(hit->t, 0.75);
  EXPECT_DOUBLE_EQ(hit->u, 0.25);
  EXPECT_DOUBLE_EQ(hit->v, 0.5);
  EXPECT_EQ(hit->point, (Vec3{1, 2, 0}));
}

TEST(SegmentTriangle, RayGoesOnAndSegmentEnds) {
  EXPECT_FALSE(intersectSegment({1, 1, 3}, {1, 1, 1}, kFloor));
  const auto hit = intersectRay({1, 1, 3}, {0, 0, -2}, kFloor);
  ASSERT_TRUE(hit);
  EXPECT_DOUBLE_EQ(hit->t, 1.5);
  EXPECT_FALSE(intersectRay({1, 1, 3}, {0, 0, 2}, kFloor)) << "behind the origin";
  EXPECT_TRUE(intersectRay({1, 1, -3}, {0, 0, 2}, kFloor)) << "from below";
}

TEST(SegmentTriangle, EdgesCornersAndEndsBelongToIt) {
  EXPECT_TRUE(intersectSegment({2, 2, 1}, {2, 2, -1}, kFloor));
  EXPECT_TRUE(intersectSegment({4, 0, 1}, {4, 0, -1}, kFloor));
  EXPECT_TRUE(intersectSegment({1, 1, 1}, {1, 1, 0}, kFloor));
  EXPECT_FALSE(intersectSegment({2.0001, 2, 1}, {2.0001, 2, -1}, kFloor));
}

TEST(SegmentTriangle, ParallelDegenerateAndBrokenInputGivesNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(intersectSegment({0, 0, 1}, {4, 4, 1}, kFloor));
  EXPECT_FALSE(intersectSegment({-1, 1, 0}, {4, 1, 0}, kFloor)) << "in the plane";
  EXPECT_FALSE(intersectSegment({1, 1, 0}, {1, 1, 0}, kFloor)) << "a point";
  EXPECT_FALSE(intersectSegment({1, 1, 1}, {1, 1, -1}, {{{0, 0, 0}, {1, 1, 0}, {2, 2, 0}}}));
  EXPECT_FALSE(intersectSegment({1, nan, 1}, {1, 1, -1}, kFloor));
  EXPECT_FALSE(intersectRay({1, 1, 1}, {0, 0, 0}, kFloor));
}

TEST(SegmentTriangle, AgreesWithTheExactTest) {
  std::mt19937_64 random(21);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto point = [&] { return Vec3{uniform(random), uniform(random), uniform(random)}; };
  int hits = 0;
  for (int trial = 0; trial < 50000; ++trial) {
    const double scale = std::pow(10, trial % 180 - 90);
    const Triangle t{{scale * point(), scale * point(), scale * point()}};
    const Vec3 p = scale * point(), q = scale * point();
    const auto hit = intersectSegment(p, q, t);
    ASSERT_EQ(hit.has_value(), trianglesIntersect({{p, q, q}}, t)) << "trial " << trial;
    if (!hit) continue;
    ++hits;
    const Vec3 on_triangle = (1 - hit->u - hit->v) * t.v[0] + hit->u * t.v[1] + hit->v * t.v[2];
    ASSERT_LT(length((on_triangle - hit->point) / scale), 1e-9);
  }
  EXPECT_GT(hits, 1000);
}

// CS277: the numerators of u and v are garbled in print. The one that is legible in all three places belongs
// to t.
TEST(Errata, RayTriangleIsCramersRule) {
  const Vec3 o{1, 2, 3}, d{0, 0, -4}, e1{4, 0, 0}, e2{0, 4, 0};
  const auto determinant = [](const Vec3& a, const Vec3& b, const Vec3& c) { return dot(cross(a, b), c); };
  const double whole = determinant(-d, e1, e2);
  const double printed_u = determinant(o, e1, e2) / whole;
  const double cramer_u = determinant(-d, o, e2) / whole;
  const auto hit = intersectSegment(o, o + d, kFloor);
  ASSERT_TRUE(hit);
  EXPECT_DOUBLE_EQ(hit->u, cramer_u);
  EXPECT_GT(std::fabs(printed_u - hit->u), 0.1);
}

}  // namespace
}  // namespace odemesh
