// Impacts of which those are looked for alone that come first: of fine meshes, and on a long way.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "moving_bodies.hpp"
#include "test_meshes.hpp"

namespace odemesh::test {
namespace {

constexpr double kRadius = 0.1, kStep = 1.0 / 60;

[[nodiscard]] MeshPtr fineBall() {
  return sphereSoup(kRadius, 96, 48).build();  // 9,024 triangles
}

// One flies past the middle of the other by a quarter of a diameter.
TEST(FineImpacts, OfBallsBeginWhereTheyMeetFirst) {
  const MeshPtr ball = fineBall();
  const double aside = 0.5 * kRadius, along = std::sqrt(4 * kRadius * kRadius - aside * aside);
  for (const double share : {0.03, 0.4, 0.97}) {
    for (const Vec3& spin : {Vec3{}, Vec3{0, 20, 30}}) {
      const double speed = 60, gap = share * speed * kStep;
      Motion motion = at({along + gap, aside, 0}, {-speed, 0, 0});
      motion.spin = spin;
      const Impacts impacts = impactsOf(*ball, motion, *ball, still(), kStep);
      ASSERT_FALSE(impacts.empty()) << share;
      EXPECT_NEAR(impacts.front().time * speed, gap, 0.01 * kRadius) << share;
      EXPECT_GT(dot(impacts.front().normal, Vec3{along, aside, 0} / (2 * kRadius)), std::cos(0.06)) << share;
    }
  }
}

// The floor along which it slides is near all the while.
TEST(FineImpacts, OfWhatSlidesAtAWallAreFoundLaterInTheStep) {
  Soup room = boxSoup({2, 2, 0.1}, 40);
  Soup wall = boxSoup({0.1, 2, 0.5}, 20);
  wall.transform({Mat3{}, {0.5, 0, 0.3}});
  room.add(wall);
  const Impacts impacts =
      impactsOf(*fineBall(), at({0, 0, 0.05 + kRadius + 1e-4}, {30, 0, 0}), *room.build(), still(), kStep);
  ASSERT_FALSE(impacts.empty());
  EXPECT_NEAR(impacts.front().time * 30, 0.45 - kRadius, 1e-3 * kRadius);
  EXPECT_LT(impacts.front().normal.x, -0.99);
}

TEST(FineImpacts, AreNoneWhereTheBallsPass) {
  const MeshPtr ball = fineBall();
  for (const double aside : {2.001, 2.5, 4.0}) {
    const Motion motion = at({0.5, aside * kRadius, 0}, {-60, 0, 0});
    EXPECT_TRUE(impactsOf(*ball, motion, *ball, still(), kStep).empty()) << aside;
  }
}

// On its way, it would pass all of the other one.
TEST(LongWays, OfCoarseBallsEndSoonAfterWhatIsMetFirst) {
  const MeshPtr ball = sphereSoup(kRadius, 24, 12).build();
  for (const Vec3& spin : {Vec3{}, Vec3{0, 20, 30}})
    for (const double gap : {0.001, 0.3}) {
      Motion motion = at({2 * kRadius + gap, 0.3 * kRadius, 0}, {-60, 0, 0});
      motion.spin = spin;
      const Impacts impacts = impactsOf(*ball, motion, *ball, still(), kStep);
      ASSERT_FALSE(impacts.empty()) << gap;
      double last = 0;
      for (const Impact& i : impacts) last = std::max(last, i.is_guard ? 0 : i.time);
      EXPECT_LT((last - impacts.front().time) * 60, 0.31 * kRadius) << gap;
      EXPECT_LT(impacts.front().time * 60, gap + 0.1 * kRadius) << gap;
    }
}

}  // namespace
}  // namespace odemesh::test
