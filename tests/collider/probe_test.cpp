// Balls and points that tell surfaces to meet at a glance: what they claim, against searches for the closest
// point and for every pair of triangles that meet.
#include "mesh/probe.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <odemesh/collide.hpp>
#include <odemesh/distance.hpp>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "bvh/wide_tree.hpp"
#include "contact/placed_mesh.hpp"
#include "contact/region/point_in_solid.hpp"
#include "mid_phase/wide_probe.hpp"
#include "simd/simd_path.hpp"
#include "test_meshes.hpp"

namespace odemesh::test {
namespace {

/// A sphere of which the corners are drawn outwards and inwards in turn, along z and across it.
Soup dentedSoup(int segments, int rings) {
  Soup out = sphereSoup(1, segments, rings);
  for (Vec3& v : out.vertices) v = v * (1 + 0.4 * std::sin(5 * v.x) * std::cos(4 * v.y - v.z));
  return out;
}

/// A ball beside a smaller one, and in the first, a hollow.
Soup hollowSoup() {
  Soup out = sphereSoup(1, 24, 20), hollow = sphereSoup(0.8, 24, 20), beside = sphereSoup(0.3, 16, 12);
  hollow.turnInsideOut();
  for (Vec3& v : beside.vertices) v += Vec3{1.5, 0, 0};
  out.add(hollow);
  out.add(beside);
  return out;
}

Soup moved(Soup soup, double scale, const Vec3& by) {
  for (Vec3& v : soup.vertices) v = v * scale + by;
  return soup;
}

/// Without the triangles above a height.
Soup openSoup(const Soup& closed, double height) {
  Soup out;
  for (std::size_t i = 0; i < closed.indices.size(); i += 3) {
    const Vec3 &a = closed.vertices[closed.indices[i]], &b = closed.vertices[closed.indices[i + 1]],
               &c = closed.vertices[closed.indices[i + 2]];
    if (a.z + b.z + c.z < 3 * height) out.addTriangle(a, b, c);
  }
  return out;
}

struct Shape {
  std::string name;
  MeshPtr mesh;
};

std::vector<Shape> shapes() {
  return {{"sphere", sphereSoup(1, 24, 20).build()},
          {"dented sphere", dentedSoup(30, 24).build()},
          {"torus", torusSoup(0.8, 0.3, 32, 16).build()},
          {"thin torus", torusSoup(1, 0.05, 60, 8).build()},
          {"hollow sphere and another", hollowSoup().build()},
          {"open sphere", openSoup(sphereSoup(1, 24, 20), 0.8).build()},
          {"cut box", boxSoup({1, 1.5, 0.4}, 8).build()},
          {"sphere of 1 mm", moved(sphereSoup(1, 24, 20), 1e-3, {}).build()},
          {"torus 1 km away", moved(torusSoup(0.8, 0.3, 32, 16), 1, {1000, -500, 200}).build()},
          {"dented sphere of 1 km", moved(dentedSoup(30, 24), 1e3, {}).build()}};
}

Vec3 inMesh(const Mesh& mesh, const float (&x)[3]) {
  const Vec3 at{double(x[0]), double(x[1]), double(x[2])};
  return at * mesh.wideTree().scale() + mesh.wideTree().origin();
}

TEST(Probe, FewTrianglesHaveNone) {
  EXPECT_EQ(boxSoup({1, 1, 1}).build()->probe(), nullptr);
}

TEST(Probe, BallsLieInTheSolidAndStayClearOfItsSurface) {
  for (const auto& [name, mesh] : shapes()) {
    ASSERT_NE(mesh->probe(), nullptr) << name;
    const Probe& probe = *mesh->probe();
    EXPECT_EQ(probe.radius[0] > 0, mesh->isSolid()) << name;
    const PointInSolid solid{PlacedMesh(*mesh, {})};
    for (std::size_t i = 0; i < Probe::kBalls && probe.radius[i] > 0; ++i) {
      const float at[3] = {probe.centre[0][i], probe.centre[1][i], probe.centre[2][i]};
      const Vec3 centre = inMesh(*mesh, at);
      const double radius = double(probe.radius[i]) * mesh->wideTree().scale();
      EXPECT_TRUE(solid.contains(centre)) << name << ' ' << i;
      EXPECT_FALSE(closestPoint(*mesh, {}, centre, radius)) << name << ' ' << i;
      EXPECT_GT(radius, 0.1 * mesh->thickness()) << name << ' ' << i;
    }
  }
}

TEST(Probe, PointsAreVerticesOfOnePiece) {
  for (const auto& [name, mesh] : shapes()) {
    std::set<std::uint32_t> pieces, found;
    for (std::size_t i = 0; i < Probe::kPoints; ++i) {
      const Probe& probe = *mesh->probe();
      const float x[3] = {probe.point[0][i], probe.point[1][i], probe.point[2][i]};
      const Vec3 at = inMesh(*mesh, x);
      std::uint32_t nearest = 0;
      for (std::uint32_t v = 0; v < mesh->vertexCount(); ++v)
        if (lengthSq(mesh->vertices()[v] - at) < lengthSq(mesh->vertices()[nearest] - at)) nearest = v;
      EXPECT_LT(length(mesh->vertices()[nearest] - at), 1e-6 * mesh->sphereRadius()) << name;
      pieces.insert(mesh->componentOf(nearest));
      found.insert(nearest);
    }
    EXPECT_EQ(pieces.size(), 1U) << name;
    EXPECT_EQ(found.size(), Probe::kPoints) << name;
  }
}

bool doMeet(const Mesh& a, const Mesh& b, const Pose& pose) {
  std::vector<TrianglePair> pairs;
  intersectingTriangles(a, {}, b, pose, pairs);
  return !pairs.empty();
}

/// Poses at which the bodies are apart, in each other, or one in the other. A claim has to be true at all.
TEST(Probe, WhatIsCertainToMeetDoes) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(0, 1);
  const std::vector<Shape> all = shapes();
  std::size_t claims = 0, deep = 0;
  for (const auto& [name1, mesh1] : all)
    for (const auto& [name2, mesh2] : all)
      for (int i = 0; i < 40; ++i) {
        const Mat3 rotation = randomRotation(random);
        const double reach = std::abs(mesh1->sphereRadius() - mesh2->sphereRadius()) +
                             2 * uniform(random) * std::min(mesh1->sphereRadius(), mesh2->sphereRadius());
        const Vec3 to = mesh1->sphereCentre() + randomRotation(random) * Vec3{reach, 0, 0};
        const Pose pose{rotation, to - rotation * mesh2->sphereCentre()};
        const bool meets = doMeet(*mesh1, *mesh2, pose);
        const bool claims_so = areCertainToMeet(*mesh1, *mesh2, pose);
        EXPECT_TRUE(meets || !claims_so) << name1 << " and " << name2 << ' ' << i;
        EXPECT_EQ(intersects(*mesh1, {}, *mesh2, pose), meets) << name1 << " and " << name2 << ' ' << i;
        claims += claims_so;
        deep += meets;
      }
  EXPECT_GT(claims, deep / 4);
}

TEST(Probe, ABodyInAnotherIsNotCertainToMeetIt) {
  const MeshPtr large = sphereSoup(1, 24, 20).build(), small = sphereSoup(0.5, 24, 20).build();
  for (const double off : {0.0, 0.2, 0.45}) {
    EXPECT_FALSE(areCertainToMeet(*large, *small, {{}, {off, 0, 0}}));
    EXPECT_FALSE(areCertainToMeet(*small, *large, {{}, {off, 0, 0}}));
  }
  EXPECT_TRUE(areCertainToMeet(*large, *small, {{}, {0.8, 0, 0}}));
  EXPECT_TRUE(areCertainToMeet(*small, *large, {{}, {0.8, 0, 0}}));
}

TEST(Probe, PosesThatAreNotRigidTellNothing) {
  const MeshPtr ball = sphereSoup(1, 24, 20).build();
  const Vec3 beside{0.9, 0, 0};
  ASSERT_TRUE(areCertainToMeet(*ball, *ball, {{}, beside}));
  Mat3 sheared;
  sheared.row[0].y = 1e-3;
  EXPECT_FALSE(areCertainToMeet(*ball, *ball, {sheared, beside}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(areCertainToMeet(*ball, *ball, {{}, {nan, 0, 0}}));
  EXPECT_FALSE(areCertainToMeet(*ball, *ball, {{}, {1e300, 0, 0}}));
  sheared.row[0].y = nan;
  EXPECT_FALSE(areCertainToMeet(*ball, *ball, {sheared, beside}));
}

TEST(Probe, InstructionsMakeNoDifference) {
  const SimdPath usual = simdPath();
  const std::vector<Shape> all = shapes();
  std::mt19937_64 random(9);
  for (int i = 0; i < 400; ++i) {
    const Mesh &first = *all[random() % 6].mesh, &second = *all[random() % 6].mesh;
    const Pose pose = randomPose(random, 1.2);
    setSimdPath(SimdPath::kScalar);
    const bool expected = areCertainToMeet(first, second, pose);
    for (const SimdPath path : kSimdPaths) {
      if (!isAvailable(path)) continue;
      setSimdPath(path);
      EXPECT_EQ(areCertainToMeet(first, second, pose), expected) << i << ' ' << nameOf(path);
    }
  }
  setSimdPath(usual);
}

}  // namespace
}  // namespace odemesh::test
