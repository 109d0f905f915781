// Worlds with speculative contacts: what is fast is caught, what is not stays as it was.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <odemesh/sim/shapes.hpp>
#include <odemesh/sim/world.hpp>

namespace odemesh::sim {
namespace {

Geometry boxMesh(const Vec3& size) {
  return MeshGeometry{CollisionMesh::make(makeBox(size))};
}

BodySpec bodyOf(const Geometry& geometry, const Vec3& position, const Vec3& velocity = {}) {
  BodySpec spec;
  spec.parts = {{geometry}};
  spec.pose.translation = position;
  spec.linear_velocity = velocity;
  return spec;
}

/// A plate of 20 mm with a box at rest and a sliding one on it.
struct Table {
  World world;
  Body* resting;
  Body* sliding;

  explicit Table(bool speculative, double restitution = 0) : world(settings(speculative, restitution)) {
    BodySpec plate = bodyOf(boxMesh({60, 60, 0.02}), {0, 0, -0.01});
    plate.is_static = true;
    world.addBody(plate);
    resting = &world.addBody(bodyOf(boxMesh({0.3, 0.3, 0.3}), {2, 2, 0.15}));
    sliding = &world.addBody(bodyOf(boxMesh({0.3, 0.3, 0.3}), {-20, 1, 0.15}, {40, 0, 0}));
  }

  static WorldSettings settings(bool speculative, double restitution) {
    WorldSettings s;
    s.speculative = speculative;
    s.surface.restitution = restitution;
    return s;
  }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) world.step();
  }
};

TEST(Speculative, LeavesRestingAndSlidingBodiesAlone) {
  Table with(true), without(false);
  with.run(120);
  without.run(120);
  EXPECT_GT(with.sliding->centreOfMass().x, -5);
  EXPECT_EQ(with.world.stateHash(), without.world.stateHash());
}

TEST(Speculative, LeavesBodiesBesideAnImpactAlone) {
  Table with(true), without(true);
  Body& fast = with.world.addBody(bodyOf(boxMesh({0.2, 0.15, 0.1}), {5, 5, 3}, {0, 0, -100}));
  with.run(120);
  without.run(120);
  EXPECT_GT(fast.centreOfMass().z, 0);
  EXPECT_LE(length(with.resting->centreOfMass() - without.resting->centreOfMass()), 1e-9);
  // After 20 m; the rows of another contact change the order in which QuickStep takes these.
  EXPECT_LE(length(with.sliding->centreOfMass() - without.sliding->centreOfMass()), 1e-8);
}

TEST(Speculative, PassesWithoutIt) {
  Table table(false);
  Body& fast = table.world.addBody(bodyOf(boxMesh({0.2, 0.15, 0.1}), {5, 5, 3.01}, {0, 0, -100}));
  table.run(120);
  EXPECT_LT(fast.centreOfMass().z, -1);
}

TEST(Speculative, BouncesWithTheWholeSpeed) {
  for (const double restitution : {0.3, 0.7, 1.0}) {
    Table table(true, restitution);
    Body& fast = table.world.addBody(bodyOf(boxMesh({0.2, 0.15, 0.1}), {5, 5, 1.01}, {0, 0, -100}));
    double fastest = 0;
    for (int i = 0; i < 10; ++i) {
      table.world.step();
      fastest = std::max(fastest, fast.linearVelocity().z);
    }
    EXPECT_NEAR(fastest, 100 * restitution, 0.5) << restitution;
  }
}

TEST(Speculative, TwoFastBodiesKeepTheirMomentum) {
  WorldSettings settings;
  settings.gravity = {};
  World world(settings);
  Body& left = world.addBody(bodyOf(boxMesh({0.2, 0.2, 0.2}), {-1, 0.01, 0}, {150, 0, 0}));
  Body& right = world.addBody(bodyOf(boxMesh({0.2, 0.2, 0.2}), {1, 0, 0.02}, {-150, 0, 0}));
  for (int i = 0; i < 60; ++i) world.step();
  EXPECT_LT(left.linearVelocity().x, 60);
  EXPECT_NEAR(left.linearVelocity().x + right.linearVelocity().x, 0, 1e-9);
}

TEST(Speculative, APlaneStopsAtTheSurface) {
  World world;
  BodySpec ground;
  ground.parts = {{PlaneGeometry{}}};
  ground.is_static = true;
  world.addBody(ground);
  Body& fast = world.addBody(bodyOf(boxMesh({0.2, 0.2, 0.2}), {0, 0, 2}, {0, 0, -90}));
  double lowest = 2;
  for (int i = 0; i < 60; ++i) {
    world.step();
    lowest = std::min(lowest, fast.centreOfMass().z);
  }
  // Less than what discrete contacts are left to deal with, a quarter of the half side.
  EXPECT_GT(lowest, 0.075);
}

}  // namespace
}  // namespace odemesh::sim
