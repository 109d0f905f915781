#include "narrow_phase/intersect_exact.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "collider/triangle_families.hpp"
#include "narrow_phase/predicates.hpp"

namespace odemesh {
namespace {

using test::Family;
using test::IntPair;
using test::IntPoint;

Triangle turned(const Triangle& t) {
  return {{t.v[0], t.v[2], t.v[1]}};
}

class IntersectExact : public ::testing::TestWithParam<Family> {};

TEST_P(IntersectExact, AgreesWithTheOracle) {
  std::mt19937_64 random(7 + static_cast<unsigned>(GetParam()));
  int hits = 0;
  constexpr int kTrials = 4000;
  for (int trial = 0; trial < kTrials; ++trial) {
    const IntPair pair = drawPair(GetParam(), random);
    const Triangle a = toTriangle(pair.a), b = toTriangle(pair.b);
    const bool expected = oracleMeets(pair.a, pair.b);
    hits += expected;
    ASSERT_EQ(trianglesIntersect(a, b), expected) << "trial " << trial;
    ASSERT_EQ(trianglesIntersect(b, a), expected) << "trial " << trial;
    ASSERT_EQ(trianglesIntersect(turned(a), b), expected) << "trial " << trial;
    ASSERT_EQ(trianglesIntersect(turned(b), turned(a)), expected) << "trial " << trial;
  }
  EXPECT_GT(hits, kTrials / 50) << "the family hardly ever meets";
}

TEST_P(IntersectExact, DoesNotDependOnScaleOrOrigin) {
  std::mt19937_64 random(107 + static_cast<unsigned>(GetParam()));
  const IntPoint far{(1LL << 45) + 12345, -(1LL << 44) + 77, (1LL << 43) - 9};
  for (int trial = 0; trial < 300; ++trial) {
    const IntPair pair = drawPair(GetParam(), random);
    const bool expected = oracleMeets(pair.a, pair.b);
    for (const int exponent : {-1070, -1000, -400, -310, -290, -20, 0, 20, 300, 330, 350, 900, 990}) {
      ASSERT_EQ(trianglesIntersect(toTriangle(pair.a, {}, exponent), toTriangle(pair.b, {}, exponent)),
                expected)
          << "trial " << trial << " at 2^" << exponent;
      if (exponent > 900) continue;
      ASSERT_EQ(trianglesIntersect(toTriangle(pair.a, far, exponent), toTriangle(pair.b, far, exponent)),
                expected)
          << "trial " << trial << " far out, at 2^" << exponent;
    }
  }
}

TEST_P(IntersectExact, SegmentsAgreeWithTheOracle) {
  std::mt19937_64 random(207 + static_cast<unsigned>(GetParam()));
  for (int trial = 0; trial < 2000; ++trial) {
    IntPair pair = drawPair(GetParam(), random);
    pair.b[2] = pair.b[1];
    const Triangle a = toTriangle(pair.a), b = toTriangle(pair.b);
    ASSERT_EQ(trianglesIntersect(a, b), oracleMeets(pair.a, pair.b)) << "trial " << trial;
  }
}

std::vector<Family> allFamilies() {
  std::vector<Family> out;
  for (int i = 0; i < static_cast<int>(Family::kCount); ++i) out.push_back(static_cast<Family>(i));
  return out;
}

std::string parameterName(const ::testing::TestParamInfo<Family>& info) {
  std::string name = test::familyName(info.param);
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Families, IntersectExact, ::testing::ValuesIn(allFamilies()), parameterName);

TEST(IntersectExact, FullMantissasNearContactFollowTheExactSigns) {
  // The corner of b lies within rounding of a's plane: above it there is no contact, on or below there is.
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto point = [&] { return Vec3{uniform(random), uniform(random), uniform(random)}; };
  int above = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const Triangle a{{point(), point(), point()}};
    const Vec3 normal = cross(a.v[1] - a.v[0], a.v[2] - a.v[0]);
    const Vec3 touch = (a.v[0] + a.v[1] + a.v[2]) / 3, up = touch + normal;
    const Triangle b{{touch, up + 0.1 * point(), up + 0.1 * point()}};
    if (orient3d(a.v[0], a.v[1], a.v[2], b.v[1]) != -1 || orient3d(a.v[0], a.v[1], a.v[2], b.v[2]) != -1)
      continue;
    const bool is_above = orient3dByProductSum(a.v[0], a.v[1], a.v[2], touch) < 0;
    above += is_above;
    ASSERT_EQ(trianglesIntersect(a, b), !is_above) << "trial " << trial;
  }
  EXPECT_GT(above, 1000);
}

TEST(IntersectExact, MixedMagnitudesAreRight) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  const Triangle floor{{{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}};
  EXPECT_FALSE(trianglesIntersect(floor, {{{0, 0, tiny}, {1, 0, 1}, {0, 1, 1}}}));
  EXPECT_TRUE(trianglesIntersect(floor, {{{0, 0, 0}, {1, 0, 1}, {0, 1, 1}}}));
  EXPECT_TRUE(trianglesIntersect(floor, {{{0, 0, -tiny}, {1, 0, 1}, {0, 1, 1}}}));
  EXPECT_FALSE(trianglesIntersect(floor, {{{-1, -1, tiny}, {1, -1, tiny}, {0, 1, tiny}}}));
}

TEST(IntersectExact, CoordinatesThatAreNotFiniteMeetNothing) {
  const Triangle good{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()}) {
    for (int corner = 0; corner < 3; ++corner) {
      for (int axis = 0; axis < 3; ++axis) {
        Triangle broken = good;
        (axis == 0 ? broken.v[corner].x : axis == 1 ? broken.v[corner].y : broken.v[corner].z) = bad;
        EXPECT_FALSE(trianglesIntersect(good, broken));
        EXPECT_FALSE(trianglesIntersect(broken, good));
        EXPECT_FALSE(trianglesIntersect(broken, broken));
      }
    }
  }
}

}  // namespace
}  // namespace odemesh
