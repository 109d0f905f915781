#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/render/offscreen_context.hpp>
#include <odemesh/sim/render/screenshot.hpp>
#include <odemesh/sim/render/world_snapshots.hpp>
#include <odemesh/sim/shapes.hpp>
#include <string>

#include "ode_tolerance.hpp"

namespace odemesh::sim {
namespace {

const Pose kTurned{{{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}, {3, -2, 5}};

BodySpec bodyOf(const Geometry& geometry, const Pose& pose, bool is_static = false) {
  return {.name = "body", .parts = {{geometry, {}, {}}}, .pose = pose, .is_static = is_static};
}

/// The greatest coordinates of a body in the world.
Vec3 upperCorner(const DrawnBody& body) {
  constexpr double kLow = -std::numeric_limits<double>::infinity();
  Vec3 upper{kLow, kLow, kLow};
  for (const Vec3& vertex : body.mesh->vertices) {
    const Vec3 p = body.pose.apply(vertex);
    upper = {std::max(upper.x, p.x), std::max(upper.y, p.y), std::max(upper.z, p.z)};
  }
  return upper;
}

void expectNear(const Vec3& a, const Vec3& b, double tolerance) {
  EXPECT_LT(length(a - b), tolerance) << a.x << ' ' << a.y << ' ' << a.z;
}

// A mesh that lies off its own origin: ODE gets it around its centre of mass, and it is drawn where it was
// given.
TEST(WorldSnapshots, MeshesAreWhereTheyWereGiven) {
  TriangleMesh box = makeBox({1, 2, 3});
  for (Vec3& vertex : box.vertices) vertex += Vec3{10, 0, 0};
  World world;
  world.addBody(bodyOf(MeshGeometry{CollisionMesh::make(box)}, kTurned));
  const Snapshot snapshot = WorldSnapshots().take(world);
  ASSERT_EQ(snapshot.bodies.size(), 1U);
  // The quarter turn takes x to y, and y to -x.
  expectNear(upperCorner(snapshot.bodies[0]), {3 + 1, -2 + 10.5, 5 + 1.5}, 1e-6);
  EXPECT_FALSE(snapshot.bodies[0].surroundings);
}

TEST(WorldSnapshots, PrimitivesHaveTheirSizes) {
  World world;
  world.addBody(bodyOf(BoxGeometry{{1, 2, 3}}, kTurned));
  world.addBody(bodyOf(SphereGeometry{0.5}, kTurned));
  world.addBody(bodyOf(CylinderGeometry{0.5, 3}, kTurned));
  world.addBody(bodyOf(CapsuleGeometry{0.5, 3}, kTurned));
  const Snapshot snapshot = WorldSnapshots().take(world);
  ASSERT_EQ(snapshot.bodies.size(), 4U);
  const Vec3 place = kTurned.translation;
  expectNear(upperCorner(snapshot.bodies[0]), place + Vec3{1, 0.5, 1.5}, 1e-12);
  expectNear(upperCorner(snapshot.bodies[1]), place + Vec3{0.5, 0.5, 0.5}, 0.01);
  expectNear(upperCorner(snapshot.bodies[2]), place + Vec3{0.5, 0.5, 1.5}, 0.01);
  expectNear(upperCorner(snapshot.bodies[3]), place + Vec3{0.5, 0.5, 2}, 0.01);
}

TEST(WorldSnapshots, ColoursFollowTheDynamicBodies) {
  World world;
  world.addBody(bodyOf(BoxGeometry{{9, 9, 1}}, {}, true));
  world.addBody(bodyOf(SphereGeometry{1}, {{}, {0, 0, 9}}));
  world.addBody(bodyOf(SphereGeometry{1}, {{}, {5, 0, 9}}));
  WorldSnapshots snapshots;
  const Snapshot snapshot = snapshots.take(world);
  ASSERT_EQ(snapshot.bodies.size(), 3U);
  EXPECT_TRUE(snapshot.bodies[0].surroundings);
  EXPECT_EQ(snapshot.bodies[0].colour, groundColour());
  EXPECT_EQ(snapshot.bodies[1].colour, bodyColour(0));
  EXPECT_EQ(snapshot.bodies[2].colour, bodyColour(1));
  EXPECT_EQ(snapshot.bodies[1].mesh, snapshot.bodies[2].mesh);
  EXPECT_EQ(snapshots.take(world).bodies[1].mesh, snapshot.bodies[1].mesh);
}

TEST(WorldSnapshots, PlanesBecomeGroundOrSquares) {
  World world;
  world.addBody(bodyOf(PlaneGeometry{{0, 0, 2}, 3}, {}, true));  // z = 1.5
  world.addBody(bodyOf(PlaneGeometry{{0, -3, 4}, 10}, {}, true));
  const Snapshot snapshot = WorldSnapshots().take(world);
  ASSERT_TRUE(snapshot.ground);
  EXPECT_DOUBLE_EQ(snapshot.ground->height, 1.5);
  ASSERT_EQ(snapshot.bodies.size(), 1U);
  EXPECT_TRUE(snapshot.bodies[0].surroundings);
  for (const Vec3& vertex : snapshot.bodies[0].mesh->vertices)
    EXPECT_NEAR(dot(snapshot.bodies[0].pose.apply(vertex), Vec3{0, -0.6, 0.8}), 2, 1e-9);
  expectNear(snapshot.bodies[0].pose.rotate({0, 0, 1}), {0, -0.6, 0.8}, 1e-12);
}

TEST(WorldSnapshots, ContactsAreThoseOfTheLastStep) {
  WorldSettings settings;
  settings.collider = Collider::kOde;  // no two meshes meet here
  World world(settings);
  world.addBody(bodyOf(PlaneGeometry{}, {}, true));
  world.addBody(bodyOf(SphereGeometry{1}, {{}, {0, 0, 0.99}}));
  EXPECT_TRUE(WorldSnapshots().take(world).contacts.empty());
  world.step();
  const Snapshot snapshot = WorldSnapshots().take(world);
  ASSERT_EQ(snapshot.contacts.size(), world.contacts().size());
  ASSERT_EQ(snapshot.contacts.size(), 1U);
  EXPECT_NEAR(snapshot.contacts[0].depth, 0.01, test::odeTolerance(1e-9));
  EXPECT_NEAR(std::abs(snapshot.contacts[0].normal.z), 1, 1e-9);
}

TEST(Screenshot, ShowsTheWorld) {
  if (!OffscreenContext::hasEgl()) GTEST_SKIP() << "this machine has no EGL (libEGL.so.1)";
  World world;
  world.addBody(bodyOf(PlaneGeometry{}, {}, true));
  world.addBody(bodyOf(BoxGeometry{{1, 1, 1}}, {{}, {7, 8, 0.5}}));
  const auto file = std::filesystem::path(testing::TempDir()) /
                    ("odemesh screenshot " + std::to_string(getpid())) / "world.png";
  std::filesystem::create_directory(file.parent_path());
  saveScreenshot(world, file, {.width = 160, .height = 120, .render = {}});
  const Image image = loadPng(file);
  EXPECT_EQ(image.width, 160);
  EXPECT_EQ(image.height, 120);
  const Colour middle = image.at(80, 60);  // the only body is framed, in the palette's first colour
  EXPECT_GT(middle.r, 1.3F * middle.b);
  EXPECT_THROW(saveScreenshot(world, file, {.width = 0, .height = 120, .render = {}}), InputError);
  EXPECT_THROW(saveScreenshot(world, "/proc/no/world.png", {.width = 16, .height = 12, .render = {}}),
               InputError);
  std::filesystem::remove_all(file.parent_path());
}

}  // namespace
}  // namespace odemesh::sim
