#include "viewer/picking.hpp"

#include <gtest/gtest.h>

#include "viewer_scenes.hpp"

namespace odemesh::viewer {
namespace {

sim::DrawnBody boxAt(const Vec3& centre, std::size_t index, bool surroundings = false) {
  static const auto box = std::make_shared<const sim::TriangleMesh>(sim::makeBox({1, 1, 1}));
  return {box, {{}, centre}, {}, surroundings, index};
}

TEST(Picking, TakesTheNearestBodyAndThePointOnItsSurface) {
  sim::Snapshot snapshot;
  snapshot.bodies = {boxAt({5, 0, 0}, 7), boxAt({3, 0, 0}, 4), boxAt({1, 0, 0}, 2, true),
                     boxAt({-3, 0, 0}, 9)};
  const auto hit = pick(snapshot, {{0, 0.1, 0.2}, {1, 0, 0}});
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->body, 4U);  // not the surroundings, nor what lies behind the eye
  EXPECT_NEAR(length(hit->point - Vec3{2.5, 0.1, 0.2}), 0, 1e-12);
  EXPECT_NEAR(hit->distance, 2.5, 1e-12);
  EXPECT_FALSE(pick(snapshot, {{0, 0.6, 0}, {1, 0, 0}}));
  EXPECT_FALSE(pick({}, {{0, 0, 0}, {1, 0, 0}}));
}

TEST(Picking, FindsTheSurroundingsBelow) {
  const Ray down{{0, 0, 5}, {0, 0, -1}};
  sim::Snapshot snapshot;
  snapshot.bodies = {boxAt({0, 0, 3}, 1)};
  EXPECT_FALSE(meetSurroundings(snapshot, down));
  snapshot.ground = sim::DrawnGround{-2};
  EXPECT_EQ(meetSurroundings(snapshot, down), (Vec3{0, 0, -2}));
  EXPECT_FALSE(meetSurroundings(snapshot, {{0, 0, -5}, {0, 0, -1}}));
  snapshot.bodies.push_back(boxAt({0, 0, 0}, 0, true));
  EXPECT_EQ(meetSurroundings(snapshot, down), (Vec3{0, 0, 0.5}));
}

TEST(Dragging, LiftsABodyToTheCursorAndHoldsItThere) {
  const sim::SceneRun run = fallingBox(sim::Collider::kOdemesh);
  sim::World& world = *run.world;
  const Vec3 forward{0, 1, 0};
  Drag drag(world, {1, {0, -0.5, 1.5}, 9.5}, {{0, -10, 1.5}, forward}, forward);
  const Vec3 wanted = Vec3{0.4, -0.5, 3} - Vec3{0, -10, 1.5};
  drag.moveTo({{0, -10, 1.5}, normalised(wanted)});
  EXPECT_NEAR(length(drag.target() - Vec3{0.4, -0.5, 3}), 0, 1e-9);
  for (int i = 0; i < 960; ++i) {
    drag.apply(world);
    world.step();
  }
  EXPECT_LT(length(drag.point(world) - drag.target()), 0.05);  // it still swings a little
}

TEST(Dragging, PullsWithALimitedForce) {
  const sim::SceneRun run = fallingBox(sim::Collider::kOdemesh);
  sim::World& world = *run.world;
  const Vec3 forward{0, 1, 0};
  Drag drag(world, {1, {0, -0.5, 1.5}, 9.5}, {{0, -10, 1.5}, forward}, forward);
  drag.moveTo({{0, -10, 1.5}, normalised({1000, 9.5, 0})});
  drag.apply(world);
  world.step();
  EXPECT_LT(length(world.body(1).linearVelocity()), 520.0 / 240);
}

}  // namespace
}  // namespace odemesh::viewer
