// The way out of convex bodies along a ray, against all planes that can bound their Minkowski difference.
#include "contact/way_out/convex_exit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <odemesh/collide.hpp>
#include <optional>
#include <random>
#include <vector>

#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"
#include "test_contacts.hpp"
#include "test_meshes.hpp"

namespace odemesh::test {
namespace {

Soup tetrahedron(std::mt19937_64& random) {
  std::uniform_real_distribution<double> unit(-1, 1);
  std::array<Vec3, 4> v;
  for (Vec3& p : v) p = {unit(random), unit(random), unit(random)};
  if (dot(cross(v[1] - v[0], v[2] - v[0]), v[3] - v[0]) > 0) std::swap(v[0], v[1]);
  return tetrahedronSoup(v[0], v[1], v[2], v[3]);
}

std::vector<Vec3> edgesOf(const PlacedMesh& placed) {
  std::vector<Vec3> out;
  for (const MeshEdge& e : placed.mesh().edges())
    out.push_back(placed.vertex(e.v[1]) - placed.vertex(e.v[0]));
  return out;
}

/// The normals of the faces of both, and of all pairs of their edges.
std::vector<Vec3> planesOf(const MeshPair& pair) {
  std::vector<Vec3> out;
  for (int side = 0; side < 2; ++side)
    for (std::uint32_t t = 0; t < pair[side].mesh().triangleCount(); ++t) out.push_back(pair[side].normal(t));
  for (const Vec3& a : edgesOf(pair[0]))
    for (const Vec3& b : edgesOf(pair[1]))
      if (const Vec3 across = cross(a, b); length(across) > 1e-6) out.push_back(normalised(across));
  return out;
}

/// None if some plane parts the bodies as they are.
std::optional<double> exitByPlanes(const MeshPair& pair, const Vec3& way, double blown_up) {
  double least = std::numeric_limits<double>::infinity();
  for (const Vec3& plane : planesOf(pair))
    for (const Vec3& towards : {plane, -plane}) {
      const double exit = planeExit(pair, towards) + blown_up, share = dot(towards, way);
      if (exit <= 1e-3) return std::nullopt;
      if (share > 1e-6) least = std::min(least, exit / share);
    }
  return least;
}

TEST(ConvexExitTest, RaysLeaveWhereThePlanesSay) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(-1, 1);
  int measured = 0;
  for (int i = 0; i < 3000; ++i) {
    const MeshPtr first = i % 3 == 0 ? boxSoup({1, 0.7, 0.4}).build() : tetrahedron(random).build();
    const MeshPtr second = i % 3 == 1 ? boxSoup({0.3, 1, 0.8}).build() : tetrahedron(random).build();
    const MeshPair pair(*first, {}, *second,
                        {randomRotation(random), {unit(random), unit(random), unit(random)}});
    const Vec3 way = normalised({unit(random), unit(random), unit(random)});
    const auto expected = exitByPlanes(pair, way, 0);
    if (!expected) continue;
    const auto exit = rayExit(pair, way, 0);
    ASSERT_TRUE(exit) << i;
    EXPECT_NEAR(exit->depth, *expected, 1e-7) << i;
    constexpr double kBlownUp = 1e-3;
    const auto blown_up = rayExit(pair, way, kBlownUp);
    EXPECT_GE(blown_up->blown_up, *exitByPlanes(pair, way, kBlownUp) - 1e-9) << i;
    EXPECT_EQ(blown_up->depth, exit->depth) << i;
    for (const double share : {-0.1, 0.3, 0.999, 1.001, 3.0}) {
      const auto is_free = isFreeAt(pair, way, share * *expected);
      ASSERT_TRUE(is_free) << i << " " << share;
      EXPECT_EQ(*is_free, share > 1) << i << " " << share;
    }
    ++measured;
  }
  EXPECT_GT(measured, 500);
}

TEST(ConvexExitTest, NoneWhereTheBodiesPassEachOther) {
  const MeshPtr box = boxSoup({1, 1, 1}).build();
  EXPECT_FALSE(rayExit({*box, {}, *box, {{}, {1.5, 0, 0}}}, {0, 0, 1}, 0));
  EXPECT_FALSE(isFreeAt({*box, {}, *box, {{}, {1.5, 0, 0}}}, {0, 0, 1}, 0.5));
  EXPECT_TRUE(rayExit({*box, {}, *box, {{}, {1.5, 0, 0}}}, {1, 0, 0}, 0));
  EXPECT_NEAR(rayExit({*box, {}, *box, {{}, {0.5, 0, 0}}}, {0, 0, 1}, 0)->depth, 1, 1e-9);
}

// A fixed bug: a ray through the diagonal of faces that are aligned but for rounding met a plane far out, and
// in place of a box's four corners one contact was told, in the middle.
TEST(ConvexExitTest, BoxesThatAreAlignedButForRoundingKeepTheirCorners) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  const MeshPtr slab = boxSoup({2, 2, double(0.1F)}).build();
  const auto side = double(0.2F);
  const MeshPtr box = boxSoup({side, side, side}).build();
  std::vector<Contact> contacts(32);
  for (const double off : {1e-18, 1e-17, 3e-17, 1e-16, 1e-15})
    for (int i = 0; i < 2000; ++i) {
      const Vec3 turn{off * normal(random), off * normal(random), off * normal(random)};
      const Pose low{{}, {0, 0, -0.05}};
      const Mat3 rotation{{{1, -turn.z, turn.y}, {turn.z, 1, -turn.x}, {-turn.y, turn.x, 1}}};
      const Pose pose{rotation, {off * normal(random), off * normal(random), 0.1 - 1e-9}};
      for (const bool swapped : {false, true}) {
        const MeshPair pair = swapped ? MeshPair(*box, pose, *slab, low) : MeshPair(*slab, low, *box, pose);
        const Vec3 way = normalised(Vec3{turn.y, turn.x, swapped ? 1.0 : -1.0});
        const auto exit = rayExit(pair, way, 0);
        EXPECT_LE(exit.value_or(RayExit{}).depth, planeExit(pair, way) + 1e-12) << off << " " << i;
        contacts.resize(32);
        contacts.resize(swapped ? collide(*box, pose, *slab, low, contacts)
                                : collide(*slab, low, *box, pose, contacts));
        EXPECT_GE(contacts.size(), 4U) << off << " " << i;
        EXPECT_LT(deepestOf(contacts), 1e-7) << off << " " << i;
      }
    }
}

/// The least way out of each other.
Separation leastExitByPlanes(const MeshPair& pair) {
  Separation least{{}, std::numeric_limits<double>::infinity()};
  for (const Vec3& plane : planesOf(pair))
    for (const Vec3& towards : {plane, -plane})
      if (const double exit = planeExit(pair, towards); exit < least.depth) least = {towards, exit};
  return least;
}

// A fixed bug: past an edge, contacts were as deep as the overlap is thick, and kept up to half of the way
// out.
TEST(ConvexExitTest, TheDeepestContactIsAsDeepAsTheWayOut) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::vector<Contact> contacts(32);
  int measured = 0;
  for (int i = 0; i < 15000; ++i) {
    const MeshPtr first = tetrahedron(random).build(), second = tetrahedron(random).build();
    Pose pose{randomRotation(random), {unit(random), unit(random), unit(random)}};
    const Separation deep = leastExitByPlanes({*first, {}, *second, pose});
    if (!(deep.depth > 0.01)) continue;
    pose.translation -= deep.direction * (deep.depth - 0.005);
    const double way = leastExitByPlanes({*first, {}, *second, pose}).depth;
    contacts.resize(32);
    contacts.resize(collide(*first, {}, *second, pose, contacts));
    EXPECT_GT(deepestOf(contacts), 0.9 * way - 1e-6) << i;
    ++measured;
  }
  EXPECT_GT(measured, 3000);
}

// A fixed bug: of balls of more than 1,000 vertices, some points alone were measured.
TEST(ConvexExitTest, FineBallsLeaveByTheDistanceOfTheirCentres) {
  std::mt19937_64 random(3);
  const MeshPtr ball = sphereSoup(1, 200, 100).build();
  std::vector<Contact> contacts(32);
  for (const double depth : {0.03, 0.3}) {
    for (int i = 0; i < 100; ++i) {
      const Vec3 between = randomRotation(random).row[0];
      const Pose pose{randomRotation(random), between * (2 - depth)};
      contacts.resize(32);
      contacts.resize(collide(*ball, {randomRotation(random), {}}, *ball, pose, contacts));
      EXPECT_NEAR(deepestOf(contacts), depth, 5e-4) << i;
    }
  }
}

}  // namespace
}  // namespace odemesh::test
