// Constant motions, and the bounds of what they sweep over.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <odemesh/collide.hpp>
#include <odemesh/motion.hpp>
#include <random>

#include "motion/sweep.hpp"
#include "moving_bodies.hpp"
#include "test_meshes.hpp"

namespace odemesh::test {
namespace {

TEST(Motion, TurnsAboutItsCentre) {
  Motion m = at({1, 0, 0}, {0, 0, 2}, {0, 0, std::numbers::pi});
  m.centre = {};
  const Pose pose = m.at(0.5);
  expectNear(pose.translation, {0, 1, 1}, 1e-14);
  expectNear(pose.rotate({1, 0, 0}), {0, 1, 0}, 1e-14);
}

TEST(Motion, IsFastFromAQuarterOfTheThickness) {
  // The cube's inscribed sphere has a radius of 0.1.
  EXPECT_FALSE(isFast(*kCube, at({}, {0.024, 0, 0}), 1));
  EXPECT_TRUE(isFast(*kCube, at({}, {0.026, 0, 0}), 1));
  EXPECT_TRUE(isFast(*kCube, at({}, {}, {0, 0, 1}), 1));
}

// Points that come together within a step were no farther from each other at its begin.
TEST(Approach, IsNoLessThanThatOfPointsThatMeet) {
  const MeshPtr bar = boxSoup({0.3, 0.06, 0.06}).build(), plate = boxSoup({0.6, 0.6, 0.03}).build();
  std::mt19937_64 random(17);
  std::uniform_real_distribution<double> share(0, 1);
  const auto any = [&](double reach) { return randomPose(random, reach).translation; };
  const double dt = 1.0 / 60;
  int meetings = 0;
  double closest = 0;
  for (int i = 0; i < 4000; ++i) {
    const Motion motion1{randomPose(random, 0.4), any(0.2), any(5), any(60)};
    const Motion motion2{randomPose(random, 0.4), any(0.2), any(5), i % 2 == 0 ? any(60) : Vec3{}};
    const double greatest = approachWithin(*bar, motion1, *plate, motion2, dt).greatest();
    EXPECT_EQ(approachWithin(*plate, motion2, *bar, motion1, dt).greatest(), greatest);
    const Vec3& point = bar->vertices()[random() % bar->vertexCount()];
    const double time = dt * share(random);
    const Vec3 other = motion2.at(time).inverse().apply(motion1.at(time).apply(point));
    if (length(other - plate->sphereCentre()) > plate->sphereRadius()) continue;
    const double before = length(motion1.pose.apply(point) - motion2.pose.apply(other));
    EXPECT_LE(before, greatest * (1 + 1e-12)) << i;
    closest = std::max(closest, before / greatest);
    ++meetings;
  }
  EXPECT_GT(meetings, 500);
  EXPECT_GT(closest, 0.5);  // no empty bound
}

/// Sampled finely.
[[nodiscard]] bool meetOnTheWay(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2,
                                const Motion& motion2, double dt) {
  constexpr int kSamples = 64;
  for (int i = 0; i <= kSamples; ++i) {
    const double time = dt * i / kSamples;
    if (intersects(mesh1, motion1.at(time), mesh2, motion2.at(time))) return true;
  }
  return false;
}

// A bar or a ball that flies and turns near a plate that does so, too.
TEST(SweptBounds, PartMostOfWhatPassesAndNothingThatMeets) {
  const MeshPtr plate = boxSoup({0.6, 0.6, 0.03}).build(), bar = boxSoup({0.3, 0.06, 0.06}).build(),
                ball = sphereSoup(0.1, 8, 6).build();
  std::mt19937_64 random(5);
  const auto any = [&](double reach) { return randomPose(random, reach).translation; };
  const double dt = 1.0 / 60;
  int passing = 0, parted = 0;
  for (int i = 0; i < 3000; ++i) {
    const Mesh& mesh = i % 2 == 0 ? *bar : *ball;
    const double spin = i % 3 == 0 ? 0 : i % 3 == 1 ? 5 : 60;
    Motion motion1{randomPose(random, 0.6), {}, any(10), any(spin)}, motion2 = at({}, any(10), any(spin));
    motion1.centre = motion1.pose.translation + any(0.1);
    const bool are_parted = areParted({mesh, motion1, dt}, {*plate, motion2, dt}, 0);
    const bool meet = meetOnTheWay(mesh, motion1, *plate, motion2, dt);
    ASSERT_FALSE(are_parted && meet) << i;
    passing += meet ? 0 : 1;
    parted += are_parted ? 1 : 0;
  }
  EXPECT_GT(passing, 500);
  EXPECT_GT(parted, 0.6 * passing);
}

// The way of a point is an arc, which bulges towards what is beside its chord.
TEST(SweptBounds, DoNotPartWhatMeetsBetweenBeginAndEnd) {
  Motion swing = at({1, 0, 0}, {}, {0, 0, std::numbers::pi / 2});
  swing.centre = {};
  swing.pose = {rotationBy({0, 0, -std::numbers::pi / 4}), {std::sqrt(0.5), -std::sqrt(0.5), 0}};
  for (const double x : {0.95, 1.05, 1.15})
    EXPECT_FALSE(areParted({*kCube, swing, 1}, {*kCube, at({x, 0, 0}), 1}, 0)) << x;
  EXPECT_TRUE(areParted({*kCube, swing, 1}, {*kCube, at({1.6, 0, 0}), 1}, 0));
}

}  // namespace
}  // namespace odemesh::test
