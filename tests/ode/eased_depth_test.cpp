// The depth that ODE's solver is told: next to nothing of the least overlaps, all of others.
#include "ode/eased_depth.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace odemesh::ode {
namespace {

constexpr double kSize = 0.3;
constexpr double kHalf = 5e-5 * kSize;

TEST(EasedDepthTest, IsHalfAtTheUncorrectedDepthAndAllWellAbove) {
  EXPECT_NEAR(easedDepth(kHalf, kSize), 0.5 * kHalf, 1e-12 * kHalf);
  EXPECT_NEAR(easedDepth(10 * kHalf, kSize), 10 * kHalf, 1.1e-4 * 10 * kHalf);
  EXPECT_LT(easedDepth(0.1 * kHalf, kSize), 1.1e-4 * 0.1 * kHalf);
  EXPECT_EQ(easedDepth(kSize, kSize), kSize);
}

TEST(EasedDepthTest, GrowsWithTheDepthAndStaysPositive) {
  double last = 0;
  for (double depth = 1e-9 * kSize; depth < kSize; depth *= 1.1) {
    const double eased = easedDepth(depth, kSize);
    EXPECT_GT(eased, 0);
    EXPECT_GE(eased, last);
    EXPECT_LE(eased, depth);
    last = eased;
  }
}

TEST(EasedDepthTest, LeavesGapsAsTheyAreAndIsFiniteForAllDepths) {
  EXPECT_EQ(easedDepth(-0.1, kSize), -0.1);
  EXPECT_EQ(easedDepth(0, kSize), 0);
  EXPECT_EQ(easedDepth(1, 0), 1);
  for (const double depth : {std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max()}) {
    EXPECT_GT(easedDepth(depth, kSize), 0);
    EXPECT_LE(easedDepth(depth, kSize), depth);
  }
}

}  // namespace
}  // namespace odemesh::ode
