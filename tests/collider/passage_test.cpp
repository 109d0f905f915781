// What a mesh that moves may meet of a solid at rest.
#include "motion/passage.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <odemesh/motion.hpp>
#include <random>

#include "constants.hpp"
#include "motion/impact_search.hpp"
#include "moving_bodies.hpp"
#include "test_meshes.hpp"

namespace odemesh::test {
namespace {

/// What the mesh may meet of the plate, which is at rest, within the first step.
[[nodiscard]] Met metOfPlate(const Mesh& mesh, const Motion& motion, double dt) {
  const Pose begin = motion.pose, end = motion.at(dt);
  const StepPart step{0, dt, {begin, begin.inverse()}, {end, end.inverse()}};
  Stamps seen;
  return metOnWay({mesh, motion, *kPlate, step, 0, true, {}}, kSlowApproach * mesh.thickness(), 1e-7, seen);
}

// A solid that creeps is not at rest, and is searched.
TEST(Passage, AlongFacesHasNoImpacts) {
  const MeshPtr ball = sphereSoup(0.15, 64, 48).build();
  const double dt = 1.0 / 60;
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> share(0, 1);
  Motion creeping = still();
  creeping.velocity = {1e-9, 0, 0};
  int gliding = 0, idle = 0;
  for (int i = 0; i < 400; ++i) {
    const Mesh& mesh = i % 2 == 0 ? *ball : *kCube;
    const double depth = 0.008 * share(random) - 0.002, side = 11 * share(random);
    const Vec3 velocity{0, 2 + 0.5 * share(random), i % 5 == 0 ? -2 * share(random) : 0};
    const Vec3 spin{i % 2 == 0 ? -velocity.y / 0.15 : 0, 0, share(random)};
    const Motion motion = at({side, 0, 0.01 + mesh.boxHalfExtent().z - depth}, velocity, spin);
    const Impacts impacts = impactsOf(mesh, motion, *kPlate, creeping, dt);
    const auto isOfSurface = [](const Impact& impact) { return !impact.is_smooth; };
    const bool strikes = std::ranges::any_of(impacts, isOfSurface);
    const bool is_gliding = metOfPlate(mesh, motion, dt) == Met::kNothing;
    ASSERT_FALSE(is_gliding && strikes) << i;
    gliding += is_gliding ? 1 : 0;
    idle += strikes ? 0 : 1;
    EXPECT_EQ(impactsOf(mesh, motion, *kPlate, still(), dt).size(), impacts.size()) << i;
  }
  EXPECT_LT(idle, 400);
  EXPECT_GT(gliding, 0.7 * idle);
}

TEST(Passage, ThroughTheMiddleOfAPlateMeetsNoEdges) {
  const double dt = 1.0 / 60;
  const auto thrown = [](double x) { return at({x, 0, 0.4}, {0, 0, -50}, {1, 2, 3}); };
  EXPECT_EQ(metOfPlate(*kCube, thrown(5), dt), Met::kFaces);
  EXPECT_EQ(metOfPlate(*kCube, thrown(9.9), dt), Met::kMore);
  EXPECT_EQ(metOfPlate(*kCube, thrown(11), dt), Met::kNothing);
  Motion creeping = still();
  creeping.velocity = {1e-9, 0, 0};
  std::mt19937_64 random(8);
  for (int i = 0; i < 200; ++i) {
    Motion motion = thrown(0.055 * i);
    motion.pose.rotation = randomRotation(random);
    motion.spin = randomPose(random, 40).translation;
    EXPECT_EQ(impactsOf(*kCube, motion, *kPlate, still(), dt).size(),
              impactsOf(*kCube, motion, *kPlate, creeping, dt).size())
        << i;
  }
}

}  // namespace
}  // namespace odemesh::test
