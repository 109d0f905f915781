#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <odemesh/god_object.hpp>

#include "collider/test_meshes.hpp"
#include "contact/region/point_in_solid.hpp"

namespace odemesh {
namespace {

using namespace test;

constexpr double kSkin = 2e-6;  // a little more than what the god-object keeps from a mesh of radius 1

TEST(GodObject, MovesFreelyWhereNothingIs) {
  GodObject god(boxSoup({1, 1, 1}).build(), {}, {3, 0, 0});
  const auto state = god.moveTo({}, {0, 3, 2});
  EXPECT_EQ(state.constraints, 0);
  EXPECT_EQ(state.position, (Vec3{0, 3, 2}));
}

// The corner of a room: floor, wall and wall, each step of CS277 in turn.
TEST(GodObject, SlidesOnPlaneLineAndPoint) {
  const MeshPtr room = [] {
    Soup soup = boxSoup({2, 2, 2}, 2);
    soup.turnInsideOut();
    return soup.build();  // seen from inside
  }();
  GodObject god(room, {}, {0, 0, 0});
  auto state = god.moveTo({}, {0.3, 0.4, -3});
  EXPECT_EQ(state.constraints, 1);
  EXPECT_NEAR(length(state.position - Vec3{0.3, 0.4, -1}), 0, 2 * kSkin);
  EXPECT_NEAR(state.normal[0].z, 1, 1e-12);

  state = god.moveTo({}, {4, 0.4, -3});
  EXPECT_EQ(state.constraints, 2);
  EXPECT_NEAR(length(state.position - Vec3{1, 0.4, -1}), 0, 2 * kSkin);

  state = god.moveTo({}, {4, 5, -3});
  EXPECT_EQ(state.constraints, 3);
  EXPECT_NEAR(length(state.position - Vec3{1, 1, -1}), 0, 4 * kSkin);

  state = god.moveTo({}, {0, 0, 0});
  EXPECT_EQ(state.constraints, 0);
  EXPECT_EQ(state.position, (Vec3{0, 0, 0}));
}

TEST(GodObject, FollowsAConvexSurface) {
  const MeshPtr ball = sphereSoup(1, 40, 30).build();
  GodObject god(ball, {}, {0, 0, 2});
  for (int step = 0; step <= 200; ++step) {
    const double angle = 0.01 * step;
    const Vec3 goal{0.7 * std::sin(angle), 0, 0.7 * std::cos(angle)};  // inside the ball
    const auto state = god.moveTo({}, goal);
    EXPECT_GE(state.constraints, 1);
    EXPECT_NEAR(length(state.position), 1, 0.01);
    EXPECT_NEAR(std::atan2(state.position.x, state.position.z), angle, 0.12) << "lags behind";
  }
}

TEST(GodObject, NeverPassesThrough) {
  std::mt19937_64 random(1);
  Soup torus_like = sphereSoup(1, 12, 8);
  for (Vec3& v : torus_like.vertices) v.z *= 0.2 + 0.8 * (v.x * v.x);  // edges, creases and concave places
  const MeshPtr meshes[] = {boxSoup({1, 1, 1}, 3).build(), sphereSoup(0.8, 20, 14).build(),
                            torus_like.build()};
  for (const MeshPtr& mesh : meshes) {
    const Pose pose = randomPose(random, 2);
    const PointInSolid inside(PlacedMesh(*mesh, pose));
    GodObject god(mesh, pose, pose.apply({3, 0, 0}));
    int touching = 0;
    for (int step = 0; step < 3000; ++step) {
      const Vec3 goal = pose.apply(randomPose(random, 2).translation);
      const auto state = god.moveTo(pose, goal);
      ASSERT_FALSE(inside.contains(state.position)) << "step " << step;
      touching += state.constraints > 0;
    }
    EXPECT_GT(touching, 500);
  }
}

TEST(GodObject, IsPushedByAMeshThatMoves) {
  const MeshPtr box = boxSoup({1, 1, 1}, 2).build();
  GodObject god(box, {}, {0, 0, 0.8});
  GodObject::State state;
  for (int step = 1; step <= 20; ++step) {
    const Pose pose{{}, {0, 0, 0.1 * step}};
    state = god.moveTo(pose, {0, 0, 0.8});  // the goal stays behind
    ASSERT_GE(state.position.z, 0.1 * step + 0.5);
  }
  EXPECT_EQ(state.constraints, 1);
  EXPECT_NEAR(state.position.z, 2.5, kSkin);
}

TEST(GodObject, StaysWithBadInputAndWithoutMeshGoesAnywhere) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  GodObject god(boxSoup({1, 1, 1}).build(), {}, {3, 0, 0});
  EXPECT_EQ(god.moveTo({}, {kNan, 0, 0}).position, (Vec3{3, 0, 0}));
  EXPECT_EQ(god.moveTo({{}, {0, kNan, 0}}, {1, 0, 0}).position, (Vec3{3, 0, 0}));
  GodObject free(nullptr, {}, {kNan, 0, 0});
  EXPECT_EQ(free.moveTo({}, {1, 2, 3}).position, (Vec3{1, 2, 3}));
}

}  // namespace
}  // namespace odemesh
