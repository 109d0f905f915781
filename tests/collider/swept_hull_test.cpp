// Planes beyond which a mesh stays on its way.
#include "motion/swept_hull.hpp"

#include <gtest/gtest.h>

#include <odemesh/collide.hpp>
#include <random>

#include "motion/sweep.hpp"
#include "moving_bodies.hpp"
#include "test_meshes.hpp"

namespace odemesh::test {
namespace {

// A ball that turns near a box, seen from the box; the ways of its points are straight.
TEST(HullMotion, StaysBeyondPlanesOfWhatItPassesAndOfNothingThatItMeets) {
  const MeshPtr ball = sphereSoup(0.1, 8, 6).build();
  std::mt19937_64 random(6);
  int passing = 0, beyond = 0;
  for (int i = 0; i < 600; ++i) {
    const Pose begin = randomPose(random, 0.8), way = randomPose(random, 0.1);
    const Mat3 turn = rotationBy(randomPose(random, 0.2).translation);
    const Pose end{turn * begin.rotation, begin.translation + way.translation};
    bool meets = false;
    for (int k = 0; k <= 16 && !meets; ++k) {
      Soup moved = sphereSoup(0.1, 8, 6);
      for (Vec3& v : moved.vertices) v = begin.apply(v) + (end.apply(v) - begin.apply(v)) * (k / 16.0);
      meets = intersects(*moved.build(), {}, *kCube, {});
    }
    const bool is_beyond = staysBeyondPlane({*ball, begin, end, 0}, *kCube, 0);
    ASSERT_FALSE(is_beyond && meets) << i;
    passing += meets ? 0 : 1;
    beyond += is_beyond ? 1 : 0;
  }
  EXPECT_GT(beyond, 0.8 * passing);
  // Points that leave their lines by as much as the gap may meet.
  const Pose beside{{}, {0, 0, 0.25}};
  EXPECT_TRUE(staysBeyondPlane({*ball, beside, beside, 0.39}, *kCube, 0));
  EXPECT_FALSE(staysBeyondPlane({*ball, beside, beside, 0.41}, *kCube, 0));
}

}  // namespace
}  // namespace odemesh::test
