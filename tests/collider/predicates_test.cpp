#include "narrow_phase/predicates.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "collider/triangle_families.hpp"
#include "narrow_phase/expansion.hpp"

namespace odemesh {
namespace {

using test::Int128;

double anyDouble(std::mt19937_64& random, int low_exponent, int high_exponent) {
  const double mantissa = std::ldexp(static_cast<double>(random() >> 11), -52) - 1;
  const int span = high_exponent - low_exponent + 1;
  return std::ldexp(mantissa, low_exponent + static_cast<int>(random() % static_cast<unsigned>(span)));
}

Vec3 anyPoint(std::mt19937_64& random, int low, int high) {
  return {anyDouble(random, low, high), anyDouble(random, low, high), anyDouble(random, low, high)};
}

TEST(Predicates, ConventionOfOrient3dIsPositiveBelow) {
  const Vec3 a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0};  // counter-clockwise seen from +z
  EXPECT_EQ(orient3d(a, b, c, {0.2, 0.2, -1}), 1);
  EXPECT_EQ(orient3d(a, b, c, {0.2, 0.2, 1}), -1);
  EXPECT_EQ(orient3d(a, b, c, {7, -3, 0}), 0);
}

TEST(Predicates, ConventionOfOrient2dIsPositiveCounterClockwise) {
  EXPECT_EQ(orient2d({0, 0}, {1, 0}, {0, 1}), 1);
  EXPECT_EQ(orient2d({0, 0}, {0, 1}, {1, 0}), -1);
  EXPECT_EQ(orient2d({0, 0}, {1, 1}, {3, 3}), 0);
}

// On a lattice plane, and one unit off it, where the rounded determinant is all error.
TEST(Predicates, Orient3dIsExactFarOutOnAPlane) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 20000; ++trial) {
    const auto small = [&] { return static_cast<std::int64_t>(random() % 101) - 50; };
    const auto large = [&] { return static_cast<std::int64_t>(random() % (1LL << 45)) - (1LL << 44); };
    const test::IntPoint u{small(), small(), small()}, w{small(), small(), small()}, unit{small() / 50, 1, 0};
    const test::IntPoint a{small(), small(), small()}, b = a + u, c = a + w;
    const std::int64_t off = static_cast<std::int64_t>(random() % 3) - 1;
    const test::IntPoint d = a + (large() * u + large() * w) + off * unit;
    const Int128 exact = -off * test::determinant(u, w, unit);
    const auto point = [](const test::IntPoint& p) {
      return Vec3{static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
    };
    const int expected = exact > 0 ? 1 : exact < 0 ? -1 : 0;
    ASSERT_EQ(orient3d(point(a), point(b), point(c), point(d)), expected);
    ASSERT_EQ(orient3dByExpansions(point(a), point(b), point(c), point(d)), expected);
    ASSERT_EQ(orient3dByProductSum(point(a), point(b), point(c), point(d)), expected);
  }
}

// Kettner et al. 2008 show the float version failing on this: points within some units of the last place of a
// line.
TEST(Predicates, Orient2dIsExactNearALine) {
  int rounded_is_wrong = 0;
  for (int i = 0; i < 64; ++i) {
    for (int j = 0; j < 64; ++j) {
      const double unit = std::ldexp(1.0, -53);
      const Point2 p{0.5 + i * unit, 0.5 + j * unit}, q{12, 12}, r{24, 24};
      const int expected = i > j ? -1 : i < j ? 1 : 0;  // side of the diagonal
      ASSERT_EQ(orient2d(q, r, p), expected);
      const double rounded = (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
      rounded_is_wrong += (rounded > 0 ? 1 : rounded < 0 ? -1 : 0) != expected;
    }
  }
  EXPECT_GT(rounded_is_wrong, 0) << "the grid no longer stresses rounding";
}

TEST(Predicates, BothExactMethodsAgreeOnDoublesOfMixedSize) {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 20000; ++trial) {
    const Vec3 a = anyPoint(random, -60, 60), b = anyPoint(random, -60, 60), c = anyPoint(random, -60, 60);
    const double s = anyDouble(random, -2, 2), t = anyDouble(random, -2, 2);
    const Vec3 near_plane = a + s * (b - a) + t * (c - a);
    for (const Vec3& d : {near_plane, anyPoint(random, -60, 60)}) {
      const int expected = orient3dByProductSum(a, b, c, d);
      ASSERT_EQ(orient3dByExpansions(a, b, c, d), expected);
      ASSERT_EQ(orient3d(a, b, c, d), expected);
      ASSERT_EQ(orient3d(b, a, c, d), -expected);
    }
  }
}

TEST(Predicates, HoldOverTheWholeRangeOfDouble) {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 20000; ++trial) {
    const Vec3 a = anyPoint(random, -1074, 1022), b = anyPoint(random, -1074, 1022),
               c = anyPoint(random, -1074, 1022);
    const Vec3 d = anyPoint(random, -1074, 1022);
    ASSERT_EQ(orient3d(a, b, c, d), orient3dByProductSum(a, b, c, d));
    ASSERT_EQ(orient3d(a, b, c, d), -orient3d(a, b, d, c));
    ASSERT_EQ(orient2d({a.x, a.y}, {b.x, b.y}, {c.x, c.y}), -orient2d({b.x, b.y}, {a.x, a.y}, {c.x, c.y}));
  }
}

TEST(Predicates, ScalingByPowersOfTwoChangesNothing) {
  std::mt19937_64 random(4);
  for (int trial = 0; trial < 2000; ++trial) {
    const Vec3 a = anyPoint(random, -3, 3), b = anyPoint(random, -3, 3), c = anyPoint(random, -3, 3);
    const Vec3 d = a + 0.25 * (b - a) + 0.5 * (c - a);
    const int expected = orient3dByProductSum(a, b, c, d);
    for (const int exponent : {-900, -400, -300, -100, 100, 300, 400, 900}) {
      const double s = std::ldexp(1.0, exponent);
      ASSERT_EQ(orient3d(s * a, s * b, s * c, s * d), expected) << "at 2^" << exponent;
    }
  }
}

TEST(Predicates, SmallestNumbersCount) {
  const double tiny = std::numeric_limits<double>::denorm_min(), huge = std::numeric_limits<double>::max();
  EXPECT_EQ(orient3d({0, 0, 0}, {tiny, 0, 0}, {0, tiny, 0}, {0, 0, -tiny}), 1);
  EXPECT_EQ(orient3d({0, 0, 0}, {huge, 0, 0}, {0, huge, 0}, {huge, huge, tiny}), -1);
  EXPECT_EQ(orient3d({0, 0, tiny}, {huge, 0, tiny}, {0, huge, tiny}, {-huge, -huge, tiny}), 0);
  EXPECT_EQ(orient2d({0, 0}, {tiny, 0}, {huge, tiny}), 1);
  EXPECT_EQ(orient2d({-huge, -huge}, {0, 0}, {huge, huge}), 0);
}

TEST(Predicates, CoordinatesThatAreNotFiniteGiveZero) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(orient3d({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, nan}), 0);
  EXPECT_EQ(orient3d({0, 0, 0}, {inf, 0, 0}, {0, 1, 0}, {0, 0, -1}), 0);
  EXPECT_EQ(orient2d({0, 0}, {inf, 0}, {0, 1}), 0);
  EXPECT_EQ(orient2d({0, nan}, {1, 0}, {0, 1}), 0);
}

TEST(Expansion, ProductsAndSumsAreExact) {
  const auto a = exactDifference(1e16, 1), b = exactDifference(1e16, -1);
  const auto product = a * b;  // 1e32 - 1
  EXPECT_EQ((product + -(exactDifference(1e16, 0) * exactDifference(1e16, 0))).sign(), -1);
  const auto rest = product + -(exactDifference(1e16, 0) * exactDifference(1e16, 0)) + exactDifference(1, 0);
  EXPECT_EQ(rest.sign(), 0);
}

}  // namespace
}  // namespace odemesh
