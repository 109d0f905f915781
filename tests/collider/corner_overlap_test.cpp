// Convex bodies that overlap only at their corners or edges, by little and nearly flat.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <odemesh/collide.hpp>
#include <random>
#include <vector>

#include "motion/sweep.hpp"
#include "test_meshes.hpp"

namespace odemesh::test {
namespace {

// A fixed bug: the way out was that of the whole bodies, up to the far corners of both. One contact of ten
// poses was three times too deep, and one of twenty leant by degrees.
TEST(CornerOverlapTest, DepthsAreThoseAtTheCorners) {
  const MeshPtr cube = boxSoup({1, 1, 1}).build();
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(0, 1);
  const auto between = [&](double least, double most) {
    return least * std::pow(most / least, unit(random));
  };
  std::vector<Contact> contacts(32);
  for (int i = 0; i < 2000; ++i) {
    const double wide = between(0.005, 0.1), deep = between(0.005, 0.1), tilt = between(1e-4, 1e-2);
    const double towards = 2 * std::numbers::pi * unit(random), yaw = 0.7 * (2 * unit(random) - 1);
    const double depth = std::min(wide, deep) * between(1e-3, 0.5);
    const Mat3 rotation =
        rotationBy({tilt * std::cos(towards), tilt * std::sin(towards), 0}) * rotationBy({0, 0, yaw});
    const Vec3 corner{0.5 - wide, 0.5 - deep, -depth}, up = rotation * Vec3{0, 0, 1};
    contacts.resize(32);
    contacts.resize(collide(*cube, {rotation, corner - rotation * Vec3{-0.5, -0.5, -0.5}}, *cube,
                            {{}, {0, 0, -0.5}}, contacts));
    for (const Contact& c : contacts) {
      EXPECT_GT(c.normal.z, std::cos(1.1 * tilt + 1e-4)) << i;
      const Vec3 from_corner = c.position - corner;
      const double overlap = depth + (up.x * from_corner.x + up.y * from_corner.y) / up.z;
      const bool touches = c.depth < 2e-12 && overlap > -5e-5;
      EXPECT_TRUE(touches || c.depth < 1.1 * overlap + 1e-5) << i;
    }
  }
}

// A fixed bug: a flat face of several triangles counted as an edge if another face of the plate came first.
TEST(CornerOverlapTest, APlateLiesOnARidgeHoweverItIsCut) {
  const MeshPtr below = prismSoup({{-0.15, 0}, {0.15, 0}, {0, 0.3}}, {{0, 1, 2}}, 0.4).build();
  for (const int cells : {1, 2, 3, 8}) {
    const Soup plate = boxSoup({2, 0.3, 0.04}, cells);
    for (const MeshPtr& above : {plate.build(), plate.buildMerged()})
      for (double sunk = 1e-7; sunk < 1e-3; sunk *= 2) {
        std::vector<Contact> contacts(32);
        contacts.resize(collide(*above, {{}, {0, 0, 0.32 - sunk}}, *below, {}, contacts));
        ASSERT_EQ(contacts.size(), 2U) << cells << ' ' << sunk;
        for (const Contact& c : contacts) {
          EXPECT_GT(c.normal.z, 0.9999);
          EXPECT_NEAR(std::abs(c.position.y), 0.15, 1e-3);
        }
      }
  }
}

}  // namespace
}  // namespace odemesh::test
