#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <odemesh/distance.hpp>
#include <odemesh/voxel.hpp>

#include "collider/test_meshes.hpp"
#include "contact/region/point_in_solid.hpp"
#include "motion/sweep.hpp"

namespace odemesh {
namespace {

using namespace test;

template <class OnVoxel>
void forEachVoxel(const VoxelMap& map, OnVoxel&& on_voxel) {
  for (std::size_t z = 0; z < map.counts()[2]; ++z)
    for (std::size_t y = 0; y < map.counts()[1]; ++y)
      for (std::size_t x = 0; x < map.counts()[0]; ++x) on_voxel(map.at(x, y, z), map.centreOf(x, y, z));
}

TEST(VoxelMap, AgreesWithDistanceAndPointInSolid) {
  const MeshPtr ball = sphereSoup(1, 16, 12).build();
  const auto map = VoxelMap::build(*ball, 0.1);
  ASSERT_TRUE(map);
  const PointInSolid inside(PlacedMesh(*ball, {}));
  std::size_t count[3] = {};
  forEachVoxel(*map, [&](Voxel voxel, const Vec3& centre) {
    ++count[static_cast<int>(voxel)];
    const double distance = closestPoint(*ball, {}, centre)->distance;
    if (voxel == Voxel::kSurface) {
      EXPECT_LE(distance, 0.05 * std::sqrt(3.0) * (1 + 1e-8));
    } else {
      EXPECT_GE(distance, 0.05 * (1 - 1e-8)) << "no triangle may come into this voxel";
      EXPECT_EQ(voxel == Voxel::kInterior, inside.contains(centre));
    }
  });
  const double volume = 0.001 * (double(count[2]) + 0.5 * double(count[1]));
  EXPECT_NEAR(volume, ball->topology().volume, 0.03 * volume);
}

TEST(VoxelMap, EverySurfacePointIsInASurfaceVoxel) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  const MeshPtr mesh = randomSoup(random, 60).build();
  const auto map = VoxelMap::build(*mesh, 0.07);
  ASSERT_TRUE(map);
  for (std::size_t t = 0; t < mesh->triangleCount(); ++t) {
    for (int k = 0; k < 50; ++k) {
      double u = uniform(random), v = uniform(random);
      if (u + v > 1) u = 1 - u, v = 1 - v;
      const Vec3 p = mesh->vertex(t, 0) + u * (mesh->vertex(t, 1) - mesh->vertex(t, 0)) +
                     v * (mesh->vertex(t, 2) - mesh->vertex(t, 0));
      EXPECT_EQ(map->at(p), Voxel::kSurface);
    }
  }
}

TEST(VoxelMap, RefusesSizesThatMakeNoSense) {
  const MeshPtr ball = sphereSoup(1, 8, 6).build();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, 1e-6, 1e-300, kInfinity, std::nan("")}) {
    EXPECT_FALSE(VoxelMap::build(*ball, bad)) << bad;
    EXPECT_TRUE(buildPointShell(*ball, bad).empty());
  }
  const auto coarse = VoxelMap::build(*ball, 100);
  ASSERT_TRUE(coarse);
  EXPECT_EQ(coarse->at({0, 0, 0}), Voxel::kSurface);
  EXPECT_EQ(coarse->at({kInfinity, 0, 0}), Voxel::kFree);
  EXPECT_EQ(coarse->at({std::nan(""), 0, 0}), Voxel::kFree);
}

TEST(PointShell, LiesOnTheSurfaceAndPointsInward) {
  const MeshPtr ball = sphereSoup(1, 24, 16).build();
  const auto shell = buildPointShell(*ball, 0.2);
  EXPECT_GT(shell.size(), 300U);
  for (const ShellPoint& p : shell) {
    EXPECT_NEAR(closestPoint(*ball, {}, p.position)->distance, 0, 1e-12);
    EXPECT_LT(dot(p.position, p.inward), -0.9);
  }
}

// McNeely's tangent plane: a point that is h past the centre of its voxel, along its outward normal, is h
// deep.
TEST(VoxelContact, DepthIsThatBehindTheTangentPlane) {
  const MeshPtr floor = boxSoup({4, 4, 1}).build();
  const auto map = VoxelMap::build(*floor, 0.1);
  ASSERT_TRUE(map);
  std::mt19937_64 random(2);
  const Pose world = randomPose(random, 5);
  const Vec3 centre = map->centreOf({0.33, 0.21, 0.5});
  const std::vector<ShellPoint> shell{{{0, 0, 0}, {0, 0, 1}}};
  for (const double h : {-0.04, 0.01, 0.03}) {
    std::vector<VoxelContact> found;
    voxelContacts(*map, world, shell, world * Pose{{}, centre - Vec3{0.02, 0.01, h}}, found);
    ASSERT_EQ(found.size(), h > 0 ? 1U : 0U);
    if (h > 0) {
      EXPECT_NEAR(found[0].depth, h, 1e-12);
      EXPECT_NEAR(length(found[0].direction - world.rotate({0, 0, 1})), 0, 1e-12);
    }
  }
}

TEST(VoxelContact, HoldsABallOnAFloor) {
  const MeshPtr floor = boxSoup({4, 4, 1}).build(), ball = sphereSoup(0.5, 24, 16).build();
  const auto map = VoxelMap::build(*floor, 0.05);
  const auto shell = buildPointShell(*ball, 0.05);
  std::vector<VoxelContact> apart, touching, deep;
  EXPECT_EQ(voxelContacts(*map, {}, shell, {{}, {0, 0, 1.2}}, apart), 0U);
  EXPECT_TRUE(apart.empty());
  const Pose on{{}, {0, 0, 0.98}};
  EXPECT_EQ(voxelContacts(*map, {}, shell, on, touching), 0U);
  const Wrench up = contactWrench(touching, 1000, on.translation);
  EXPECT_GT(up.force.z, 0);
  EXPECT_LT(std::hypot(up.force.x, up.force.y), 0.05 * up.force.z);
  EXPECT_GT(voxelContacts(*map, {}, shell, {{}, {0, 0, 0.6}}, deep), 0U)
      << "points past the surface are told";
}

TEST(VirtualCoupling, IsASpringAndDamperInSixDimensions) {
  Coupling k{100, 10, 5, 2};
  std::mt19937_64 random(3);
  for (const double angle : {0.0, 1e-9, 0.3, 1.5, 3.0, 3.14159, std::numbers::pi}) {
    for (int trial = 0; trial < 20; ++trial) {
      const Vec3 axis = randomRotation(random).row[0];
      const Pose tool = randomPose(random, 2);
      const Pose handle{rotationBy(angle * axis) * tool.rotation, tool.translation + Vec3{0.1, -0.2, 0.3}};
      const Wrench w = virtualCoupling(k, handle, tool, {1, 0, 0}, {0, 1, 0});
      EXPECT_NEAR(length(w.force - Vec3{10 - 10, -20, 30}), 0, 1e-12);
      const Vec3 theta = (w.torque + Vec3{0, 2, 0}) / 5;
      const double sign = angle < 3.14 ? 1 : dot(theta, axis) < 0 ? -1 : 1;  // at half a turn both will do
      EXPECT_NEAR(length(theta - sign * angle * axis), 0, 1e-7) << angle;
    }
  }
}

}  // namespace
}  // namespace odemesh
