// Impacts by the places at which meshes overlap on their way.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <odemesh/collide.hpp>
#include <odemesh/motion.hpp>
#include <random>
#include <vector>

#include "constants.hpp"
#include "motion/impacts_behind.hpp"
#include "motion/sweep.hpp"
#include "test_meshes.hpp"

namespace odemesh::test {
namespace {

constexpr double kStep = 1.0 / 60;

[[nodiscard]] double depthAt(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2,
                             const Motion& motion2, double time) {
  std::array<Contact, 4> contacts;
  return collide(mesh1, motion1.at(time), mesh2, motion2.at(time), contacts) > 0 ? contacts[0].depth : 0;
}

/// The greatest depth at any of 40 times of the step.
[[nodiscard]] double greatestDepth(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2,
                                   const Motion& motion2) {
  double deepest = 0;
  for (int i = 1; i <= 40; ++i)
    deepest = std::max(deepest, depthAt(mesh1, motion1, mesh2, motion2, kStep * i / 40));
  return deepest;
}

/// A mesh that flies at 20 m/s, and one that stands or flies, both spinning; apart at first.
struct Encounter {
  std::array<Motion, 2> motion;

  Encounter(std::mt19937_64& random, double radius) {
    std::uniform_real_distribution<double> any(-1, 1);
    const auto anyVector = [&] { return Vec3{any(random), any(random), any(random)}; };
    const double apart = 2 * radius + 0.15 * (1 + any(random));
    for (int i = 0; i < 2; ++i) {
      const Vec3 at = i == 0 ? Vec3{0.3 * radius * any(random), 0.3 * radius * any(random), apart} : Vec3{};
      motion[i] = {{randomRotation(random), at}, at, {}, anyVector() * 20.0, false};
    }
    motion[0].velocity = {0, 0, -20};
    if (any(random) > 0) motion[1].velocity = anyVector() * 5.0;
  }
};

// `findImpacts` alone lets some pass: of balls whose ways bend in each other's frame, and of corners that
// come down close to an edge.
TEST(OverlapsAhead, NothingComesDeepIntoAnotherUnforeseen) {
  const std::vector<std::pair<MeshPtr, double>> bodies{{boxSoup({0.3, 0.3, 0.3}).build(), 0.26},
                                                       {sphereSoup(0.12, 12, 8).build(), 0.12}};
  int deep = 0, missed = 0;
  for (const auto& [mesh, radius] : bodies) {
    std::mt19937_64 random(5);
    for (int k = 0; k < 400; ++k) {
      const auto& [motion1, motion2] = Encounter(random, radius).motion;
      if (depthAt(*mesh, motion1, *mesh, motion2, 0) > 0) continue;
      if (greatestDepth(*mesh, motion1, *mesh, motion2) < 0.5 * mesh->thickness()) continue;
      ++deep;
      std::array<Impact, 16> out;
      missed += findImpacts(*mesh, motion1, *mesh, motion2, kStep, out) == 0 ? 1 : 0;
      EXPECT_GT(findImpactsOrOverlaps(*mesh, motion1, *mesh, motion2, kStep, out), 0U) << k;
    }
  }
  EXPECT_GT(deep, 200);
  EXPECT_GT(missed, 0);
}

const MeshPtr kCube = boxSoup({0.2, 0.2, 0.2}).build();
const MeshPtr kSlab = boxSoup({20, 20, 0.4}).build();

[[nodiscard]] Motion cubeAt(const Vec3& position, const Vec3& velocity) {
  return {{{}, position}, position, velocity, {}, false};
}

[[nodiscard]] Motion slab() {
  return {{{}, {0, 0, -0.2}}, {0, 0, -0.2}, {}, {}, true};
}

[[nodiscard]] std::vector<Impact> overlapsOf(Front front, const Motion& motion, const Mesh& mesh = *kCube) {
  std::array<Impact, 16> out;
  const std::size_t count = findOverlapsBehind(front, mesh, motion, *kSlab, slab(), kStep, out);
  return {out.begin(), out.begin() + std::ptrdiff_t(count)};
}

// Each corner of the cube may come as near as it is.
TEST(OverlapsAhead, StopAtTheSurfacesThatMeet) {
  const std::vector<Impact> impacts = overlapsOf({}, cubeAt({0, 0, 0.15}, {0, 0, -10}));
  EXPECT_EQ(impacts.size(), 4U);
  for (const Impact& impact : impacts) {
    EXPECT_NEAR(impact.normal.z, 1, 1e-6);
    EXPECT_NEAR(impact.gap, 0.05, 0.02 * kCube->thickness());
    EXPECT_NEAR(impact.time, 0.005, 2e-4);
    EXPECT_NEAR(std::abs(impact.position.x), 0.1, 1e-6);
  }
}

// By as much as contacts cope with, it may sink in; and what slides does not.
TEST(OverlapsAhead, WhatStaysShallowHasNone) {
  const double coped = kFastShare * kCube->thickness();
  EXPECT_TRUE(overlapsOf({}, cubeAt({0, 0, 0.099}, {8, 0, 0})).empty());
  EXPECT_TRUE(overlapsOf({}, cubeAt({0, 0, 0.1}, {8, 0, -0.9 * coped / kStep})).empty());
  EXPECT_FALSE(overlapsOf({}, cubeAt({0, 0, 0.1}, {8, 0, -1.1 * coped / kStep})).empty());
}

// What is deep already is left to its contacts, unless it comes deeper.
TEST(OverlapsAhead, WhatIsDeepHasSomeIfItComesDeeper) {
  EXPECT_TRUE(overlapsOf({}, cubeAt({0, 0, 0.05}, {8, 0, 0})).empty());
  EXPECT_TRUE(overlapsOf({}, cubeAt({0, 0, 0.05}, {0, 0, 3})).empty());
  EXPECT_FALSE(overlapsOf({}, cubeAt({0, 0, 0.05}, {0, 0, -3})).empty());
}

// A contact's normal along which the bounds are shallow spares the look, and changes nothing.
TEST(OverlapsAhead, AFrontChangesNothing) {
  const std::array front{Stop{{0, 0, 1}, 0.001}};
  EXPECT_TRUE(overlapsOf(front, cubeAt({0, 0, 0.099}, {8, 0, 0})).empty());
  EXPECT_EQ(overlapsOf(front, cubeAt({0, 0, 0.15}, {0, 0, -10})).size(), 4U);
}

// It does not for what is not convex: two cubes on an axle.
TEST(OverlapsAhead, AFrontChangesNothingForAnAxle) {
  Soup soup = boxSoup({1, 0.02, 0.02});
  for (const double x : {-0.5, 0.5}) {
    Soup wheel = boxSoup({0.2, 0.2, 0.2});
    wheel.transform({{}, {x, 0, 0}});
    soup.add(wheel);
  }
  const MeshPtr axle = soup.build();
  const std::array front{Stop{{0, 0, 1}, 0.001}};
  EXPECT_TRUE(overlapsOf(front, cubeAt({0, 0, 0.099}, {8, 0, 0}), *axle).empty());
  EXPECT_GE(overlapsOf(front, cubeAt({0, 0, 0.15}, {0, 0, -10}), *axle).size(), 4U);
}

}  // namespace
}  // namespace odemesh::test
