// What slides or rolls on a floor strikes nothing of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <odemesh/motion.hpp>

#include "motion/sweep.hpp"
#include "moving_bodies.hpp"
#include "test_meshes.hpp"

namespace odemesh::test {
namespace {

TEST(Impacts, DoNotComeFromSeamsBetweenSlabs) {
  const MeshPtr slab = boxSoup({2, 2, 1}).build();
  Motion next = still();
  next.pose.translation = {2, 0, 0};
  for (const double turn : {0.0, 0.01, 0.5}) {
    Motion sliding = at({0.5, 0.1, 0.6 - 1e-6}, {90, 0, -0.16});
    sliding.pose.rotation = rotationBy({0, 0, turn});
    EXPECT_TRUE(impactsOf(*kCube, sliding, *slab, next, 1.0 / 60).empty()) << turn;
  }
  // A step of 5 cm is no seam.
  next.pose.translation.z = 0.05;
  const Impacts impacts = impactsOf(*kCube, at({0.5, 0.1, 0.6}, {90, 0, 0}), *slab, next, 1.0 / 60);
  ASSERT_FALSE(impacts.empty());
  expectNear(impacts.front().normal, {-1, 0, 0}, 1e-9);
  EXPECT_NEAR(impacts.front().gap, 0.4, 1e-9);
}

/// In a step of a sixtieth, with the speed that gravity brings in it.
[[nodiscard]] Motion underGravity(Motion motion) {
  motion.gain = {0, 0, -9.81 / 60};
  motion.velocity += motion.gain;
  return motion;
}

// A fixed bug: a sweep takes what is small to fall by more than a hundredth of its thickness into the floor
// on which it slides, and it struck the next tile of that.
TEST(Impacts, DoNotComeFromTheNextTileForWhatIsCarried) {
  const MeshPtr tile = boxSoup({1, 1, 0.2}).build();
  const MeshPtr ball = sphereSoup(0.1, 24, 12).build();
  Motion next = still();
  next.pose.translation = {0.62, 0, -0.1};
  for (const double overlap : {0.0, 1e-5, 5e-4})
    for (const double turn : {0.0, 0.01, 0.5})
      for (const MeshPtr& mesh : {kCube, ball}) {
        const double ahead =
            0.12 - mesh->boxHalfExtent().x * (mesh == kCube ? std::cos(turn) + std::sin(turn) : 0);
        Motion sliding = at({ahead - 0.01, 0.1, 0.1 - overlap}, {2.5, 0.2, 0});
        sliding.pose.rotation = rotationBy({0, 0, turn});
        EXPECT_TRUE(impactsOf(*mesh, underGravity(sliding), *tile, next, 1.0 / 60).empty())
            << overlap << " " << turn;
        EXPECT_TRUE(impactsOf(*tile, next, *mesh, underGravity(sliding), 1.0 / 60).empty())
            << overlap << " " << turn;
      }
  // A step of 2 cm stops it, and so does the floor what falls, though gravity brings the last bit of its way.
  next.pose.translation.z = -0.08;
  const Motion sliding = at({0.01, 0.1, 0.1}, {2.5, 0, 0});
  EXPECT_FALSE(impactsOf(*kCube, underGravity(sliding), *tile, next, 1.0 / 60).empty());
  const Motion falling = at({0.62, 0.1, 0.1201 + 3.0 / 60}, {0.5, 0, -3});
  EXPECT_FALSE(impactsOf(*kCube, underGravity(falling), *tile, next, 1.0 / 60).empty());
}

// A fixed bug: of what is as thin as the wall of a cup, gravity brings more in a sixtieth than counted as
// what brings a meeting about, and cups struck the next tile.
TEST(Impacts, DoNotComeFromTheNextTileForWhatIsThin) {
  const MeshPtr tile = boxSoup({1, 1, 0.2}).build();
  const MeshPtr cup =
      revolvedSoup({{0, 0}, {0.1, 0}, {0.12, 0.2}, {0.115, 0.2}, {0.095, 0.005}, {0, 0.005}}, 32)
          .buildMerged();
  Motion next = still();
  for (const double step : {0.0, 0.02}) {
    next.pose.translation = {0.62, 0, step - 0.1};
    for (const double overlap : {-2e-5, 0.0, 5e-5})
      for (const double turn : {0.0, 0.05, 0.5}) {
        Motion sliding = at({0.01, 0.1, -overlap}, {4, 0.2, 0});
        sliding.pose.rotation = rotationBy({0, 0, turn});
        sliding = underGravity(sliding);
        EXPECT_EQ(impactsOf(*cup, sliding, *tile, next, 1.0 / 60).empty(), step == 0)
            << overlap << " " << turn;
        EXPECT_EQ(impactsOf(*tile, next, *cup, sliding, 1.0 / 60).empty(), step == 0)
            << overlap << " " << turn;
      }
  }
}

// A fixed bug: what had landed on a tile by less than impacts count, and sunk in by as much, struck the next.
TEST(Impacts, DoNotComeFromTheNextTileForWhatHasLanded) {
  const MeshPtr tile = boxSoup({1, 1, 0.2}).build();
  Motion next = still();
  next.pose.translation = {0.62, 0, -0.1};
  for (const double overlap : {2.5e-3, 4e-3})
    for (const double turn : {0.0, 0.01, 0.5}) {
      const double ahead = 0.12 - 0.1 * (std::cos(turn) + std::sin(turn));
      const auto areNone = [&](double rise) {
        Motion sliding = at({ahead - 0.01, 0.1, 0.1 - overlap}, {2.5, 0.2, rise});
        sliding.pose.rotation = rotationBy({0, 0, turn});
        sliding = underGravity(sliding);
        const bool swapped = impactsOf(*tile, next, *kCube, sliding, 1.0 / 60).empty();
        EXPECT_EQ(impactsOf(*kCube, sliding, *tile, next, 1.0 / 60).empty(), swapped);
        return swapped;
      };
      EXPECT_TRUE(areNone(0.2 * overlap * 60)) << "pushed out, " << overlap << " " << turn;
      EXPECT_TRUE(areNone(-0.2 * overlap * 60)) << "sinking in, " << overlap << " " << turn;
      EXPECT_FALSE(areNone(0)) << "a step, " << overlap << " " << turn;
    }
}

// A fixed bug: of a ball that rolls, or lands as it rolls, vertices on their way down counted as if they went
// on below the floor.
TEST(Impacts, AreNoneOfABallThatRolls) {
  const MeshPtr ball = sphereSoup(0.1, 96, 48).build();
  const MeshPtr ground = boxSoup({20, 20, 1}).build();
  Motion floor = still();
  floor.pose.translation = {0, 0, -0.5};
  std::array<Impact, 16> out;
  for (const double speed : {3.0, 5.0, 8.0})
    for (const double down : {0.0, 0.2, 3.0}) {
      Motion rolling = at({0, 0, 0.1 + 0.5 * down / 60}, {speed, 0, -down}, {0, speed / 0.1, 0});
      rolling.pose.rotation = rotationBy({std::numbers::pi / 2, 0, 0});
      rolling = underGravity(rolling);
      EXPECT_EQ(impactsOf(*ball, rolling, *ground, floor, 1.0 / 60).empty(), down < 1)
          << speed << " " << down;
      const std::size_t count = findImpactsWithPlane(*ball, rolling, {0, 0, 1}, 0, 1.0 / 60, out);
      EXPECT_EQ(count == 0, down < 1) << speed << " " << down;
    }
}

// A fixed bug: what turns up again within the step was stopped as if it went on as it comes down. A wheel
// that lands as it rolls was thrown up by up to 1.3 m/s.
TEST(Impacts, OfAWheelThatLandsLetItComeDownAsFarAsItsMiddleMay) {
  constexpr double kRadius = 0.2, kStep = 1.0 / 60;
  const MeshPtr wheel =
      revolvedSoup({{0, -0.02}, {kRadius, -0.02}, {kRadius, 0.02}, {0, 0.02}}, 256).buildMerged();
  const MeshPtr ground = boxSoup({20, 20, 1}).build();
  Motion floor = still();
  floor.pose.translation = {0, 0, -0.5};
  for (const double speed : {4.0, 8.0})
    for (const double down : {0.4, 0.8})
      for (const double height : {0.001, 0.003, 0.005}) {
        Motion rolling = at({0, 0, kRadius + height}, {speed, 0, -down}, {0, speed / kRadius, 0});
        rolling.pose.rotation = rotationBy({std::numbers::pi / 2, 0, 0});
        double least = -std::numeric_limits<double>::infinity();  // velocity upwards that answers all
        for (const Impact& i : impactsOf(*wheel, rolling, *ground, floor, kStep))
          least = std::max(least, -i.gap / kStep - cross(rolling.spin, i.position - rolling.centre).z);
        EXPECT_NEAR(least, -height / kStep, 0.12) << speed << " " << down << " " << height;
      }
}

// A fixed bug: whether a long edge bulges was asked along the diagonals of the faces beside it, which hardly
// leave it. Edges of a wheel that is wider than its rail counted that come down behind others: of 5 m/s, two
// were left after four seconds.
TEST(Impacts, AreNoneOfAWheelThatRollsOnRails) {
  const MeshPtr wheels = revolvedSoup({{0, -0.85},
                                       {0.45, -0.85},
                                       {0.45, -0.65},
                                       {0.08, -0.63},
                                       {0.08, 0.63},
                                       {0.45, 0.65},
                                       {0.45, 0.85},
                                       {0, 0.85}},
                                      128)
                             .buildMerged();
  Soup both;
  for (const double side : {-0.75, 0.75}) {
    Soup rail = boxSoup({40, 0.07, 0.1});
    rail.transform({{}, {0, side, -0.05}});
    both.add(rail);
  }
  const MeshPtr rails = both.buildMerged();
  for (const double speed : {3.0, 5.0, 8.0})
    for (const double sunk : {1e-3, 2.5e-3})
      for (const double turn : {0.0, 0.2, 0.4})  // of what is between two corners
        for (const double down : {0.16, 3.0}) {
          const double above = down < 1 ? -sunk : 0.5 * down / 60;
          Motion rolling = at({0, 0, 0.45 + above}, {speed, 0, -down}, {0, speed / 0.45, 0});
          rolling.pose.rotation =
              rotationBy({0, turn * std::numbers::pi / 64, 0}) * rotationBy({std::numbers::pi / 2, 0, 0});
          rolling = underGravity(rolling);
          EXPECT_EQ(impactsOf(*wheels, rolling, *rails, still(), 1.0 / 60).empty(), down < 1)
              << speed << " " << sunk << " " << turn << " " << down;
          EXPECT_EQ(impactsOf(*rails, still(), *wheels, rolling, 1.0 / 60).empty(), down < 1)
              << speed << " " << sunk << " " << turn << " " << down;
        }
}

// The sides of a wheel follow each other down; what falls leads with the one that is lowest.
TEST(Impacts, WithAPlaneHaveNoneForWhatRolls) {
  const MeshPtr wheel = test::revolvedSoup({{0, -0.05}, {0.3, -0.05}, {0.3, 0.05}, {0, 0.05}}, 128).build();
  const Mat3 upright = rotationBy({std::numbers::pi / 2, 0, 0});
  std::array<Impact, 64> out;
  const auto count = [&](double depth, const Vec3& velocity, double spin) {
    Motion motion = at({0, 0, 0.3 - depth}, velocity, {0, spin, 0});
    motion.pose.rotation = upright;
    return findImpactsWithPlane(*wheel, motion, {0, 0, 1}, 0, 1.0 / 60, out);
  };
  for (const double speed : {1.0, 2.0, 5.0, 10.0})
    EXPECT_EQ(count(1e-3, {speed, 0, 0}, speed / 0.3), 0U) << speed;
  EXPECT_GE(count(-0.05, {2, 0, -6}, 2 / 0.3), 2U);
  EXPECT_GE(count(-0.05, {0, 0, -6}, 0), 2U);
}

}  // namespace
}  // namespace odemesh::test
