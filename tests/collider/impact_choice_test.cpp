// Which impacts are kept where few are wanted.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numbers>
#include <odemesh/motion.hpp>
#include <random>
#include <span>

#include "motion/sweep.hpp"
#include "moving_bodies.hpp"
#include "test_meshes.hpp"

namespace odemesh::test {
namespace {

// A corner that is held lets the rest of its body turn about it, and pass.
TEST(Impacts, OfWhichFewAreWantedKeepTheCentre) {
  for (const double angle : {0.0, 0.3, 0.7}) {
    Motion falling = at({0, 0, 0.61}, {0, 0, -50}, {3, 2, 1});
    falling.pose.rotation = rotationBy({angle, 0.5 * angle, 0});
    std::array<Impact, 2> out;
    ASSERT_EQ(findImpacts(*kCube, falling, *kPlate, still(), 1.0 / 60, out), 2U) << angle;
    EXPECT_FALSE(out[0].is_smooth) << angle;
    EXPECT_TRUE(out[1].is_smooth) << angle;
    ASSERT_EQ(findImpacts(*kCube, falling, *kPlate, still(), 1.0 / 60, std::span(out).first(1)), 1U) << angle;
    EXPECT_TRUE(out[0].is_smooth) << angle;
  }
}

// What lands on three corners of four topples. The upper ones come too late to count.
TEST(Impacts, OfWhichFewAreWantedAreThoseOfTheCornersThatLand) {
  for (const double angle : {0.0, 0.02, 0.1})
    for (const double drift : {0.0, 15.0})
      for (const std::size_t room : {4U, 5U, 6U}) {
        Motion falling = at({0, 0, 0.4}, {drift, 0, -50}, {});
        falling.pose.rotation = rotationBy({angle, 0.3 * angle, 0});
        std::vector<Impact> out(room);
        // With the centre, which is guarded, there are five.
        const std::size_t count = findImpacts(*kCube, falling, *kPlate, still(), 1.0 / 60, out);
        ASSERT_EQ(count, std::min<std::size_t>(room, 5));
        int corners = 0;
        for (const Impact& i : std::span(out).first(count))
          corners += i.is_guard || i.position.z > 0.4 ? 0 : 1;
        EXPECT_EQ(corners, 4) << angle << " " << drift << " " << room;
      }
}

// A box that falls on an edge has none around its centre.
TEST(Impacts, OfFeetThatDoNotStandAroundTheCentreKeepIt) {
  for (const std::size_t room : {3U, 4U, 5U}) {
    Motion falling = at({0, 0, 0.5}, {0, 0, -50}, {});
    falling.pose.rotation = rotationBy({std::numbers::pi / 4, 0, 0});
    std::vector<Impact> out(room);
    const std::size_t count = findImpacts(*kCube, falling, *kPlate, still(), 1.0 / 60, out);
    ASSERT_EQ(count, 3U);  // with the corners of the edge
    EXPECT_EQ(std::ranges::count_if(std::span(out).first(count), &Impact::is_guard), 1) << room;
  }
}

// A fixed bug: of two bodies that move, impacts of vertices took the places that are kept for centres.
TEST(Impacts, OfWhichFewAreWantedKeepTheCentreIfNothingIsFixed) {
  const double dt = 1.0 / 60;
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> off(-1, 1);
  int guarded = 0;
  for (int i = 0; i < 500; ++i) {
    Motion first = at({0, 0, 0.4}, {10 * off(random), 10 * off(random), -30}, {off(random), off(random), 9});
    Motion second = at({0.1 * off(random), 0.1 * off(random), 0}, {20 * off(random), 0, 20});
    first.pose.rotation = randomRotation(random);
    second.pose.rotation = randomRotation(random);
    const Impacts all = impactsOf(*kCube, first, *kCube, second, dt);
    if (all.size() < 3 || std::ranges::none_of(all, &Impact::is_guard)) continue;
    ++guarded;
    std::array<Impact, 2> out;
    ASSERT_EQ(findImpacts(*kCube, first, *kCube, second, dt, out), 2U) << i;
    EXPECT_EQ(out[0].time, all[0].time) << i;
    EXPECT_TRUE(out[0].is_guard || out[1].is_guard) << i;
  }
  EXPECT_GT(guarded, 100);
}

}  // namespace
}  // namespace odemesh::test
