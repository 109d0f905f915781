#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <odemesh/penetration.hpp>

#include "collider/test_meshes.hpp"
#include "contact/placed_mesh.hpp"
#include "contact/region/point_in_solid.hpp"
#include "mid_phase/methods/spatial_hash.hpp"

namespace odemesh {
namespace {

using namespace test;

std::vector<PenetratingVertex> penetrating(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2,
                                           const Pose& pose2,
                                           CrossingSearch search = CrossingSearch::kTrees) {
  std::vector<PenetratingVertex> out;
  penetratingVertices(mesh1, pose1, mesh2, pose2, out, search);
  return out;
}

// All crossed faces have the same normal, so the weighted means are exact: every vertex below the top of the
// large box has its height below it as its depth.
TEST(Penetration, BoxOnBoxIsExact) {
  const MeshPtr small = boxSoup({1, 1, 1}, 6).build(), large = boxSoup({4, 4, 2}, 3).build();
  std::mt19937_64 random(1);
  for (const double sunk : {0.001, 0.1, 0.45}) {
    const Pose world = randomPose(random, 10);
    const Pose on_top{{}, {0.1, 0.2, 1.5 - sunk}};
    const auto found = penetrating(*small, world * on_top, *large, world);
    std::size_t below = 0;
    for (const Vec3& v : small->vertices()) below += on_top.apply(v).z < 1;
    ASSERT_EQ(found.size(), below);
    for (const PenetratingVertex& p : found) {
      EXPECT_EQ(p.mesh, 1);
      EXPECT_NEAR(p.depth, 1 - on_top.apply(small->vertices()[p.vertex]).z, 1e-12);
      EXPECT_NEAR(length(p.direction - world.rotate({0, 0, 1})), 0, 1e-12);
    }
  }
}

TEST(Penetration, BallInFloorIsExact) {
  const MeshPtr ball = sphereSoup(1, 31, 24).build(), floor = boxSoup({10, 10, 4}, 5).build();
  std::mt19937_64 random(2);
  const Pose in_floor{randomRotation(random), {0.123, 0.456, 2.5}};
  std::size_t layers = 0;
  for (const PenetratingVertex& p : penetrating(*ball, in_floor, *floor, {})) {
    EXPECT_NEAR(p.depth, 2 - p.position.z, 1e-12);
    EXPECT_NEAR(p.direction.z, 1, 1e-12);
    layers = std::max<std::size_t>(layers, p.layer + 1);
  }
  EXPECT_GT(layers, 2U);
}

// Two balls of radius 1 that overlap by h on the z axis cross in a rim where normals lean by acos(1 - h / 2).
// The lowest point of the upper ball lies 3/2 h - h^2 / 2 below the tangent planes of the rim, and h below
// the other ball's top: the method, which sees the rim and then averages inwards, ends between the two.
TEST(Penetration, BallInBallLiesBetweenLensAndTangentPlanes) {
  const MeshPtr ball = sphereSoup(1, 48, 48).build();
  for (const double overlap : {0.05, 0.1, 0.3}) {
    const auto found = penetrating(*ball, {{}, {0, 0, 2 - overlap}}, *ball, {});
    ASSERT_FALSE(found.empty());
    std::size_t of[3] = {};
    const PenetratingVertex* lowest = &found[0];
    for (const PenetratingVertex& p : found) {
      ++of[p.mesh];
      if (p.mesh == 1 && p.position.z < lowest->position.z) lowest = &p;
      EXPECT_GT(p.depth, 0);
    }
    EXPECT_EQ(of[1], of[2]) << "both balls are the same";
    EXPECT_GE(lowest->depth, overlap);
    EXPECT_LE(lowest->depth, 1.5 * overlap);
    EXPECT_GT(lowest->direction.z, 0.999);
  }
}

TEST(Penetration, FindsTheVerticesThatAreInside) {
  const MeshPtr ball = sphereSoup(1, 21, 15).build();
  const MeshPtr box = boxSoup({1, 1, 1}, 3).build();
  std::mt19937_64 random(3);
  std::size_t total = 0;
  for (int trial = 0; trial < 30; ++trial) {
    const Pose pose1 = randomPose(random, 2), pose2 = randomPose(random, 1);
    const MeshPair pair(*ball, pose1, *box, pose2);
    std::vector<std::pair<int, std::uint32_t>> expected, got;
    for (const int side : {0, 1}) {
      const PointInSolid inside(pair[1 - side]);
      for (std::uint32_t v = 0; v < pair[side].mesh().vertexCount(); ++v)
        if (inside.contains(pair[side].vertex(v))) expected.emplace_back(side + 1, v);
    }
    for (const PenetratingVertex& p : penetrating(*ball, pose1, *box, pose2))
      got.emplace_back(p.mesh, p.vertex);
    EXPECT_EQ(got, expected) << "trial " << trial;
    total += got.size();
  }
  EXPECT_GT(total, 500U);
}

TEST(Penetration, SpatialHashFindsTheSame) {
  const MeshPtr ball = sphereSoup(1, 31, 21).build();
  std::mt19937_64 random(4);
  const MeshPtr bar = boxSoup({3, 0.2, 0.2}, 5).build();
  for (int trial = 0; trial < 30; ++trial) {
    const Pose pose1 = randomPose(random, 2), pose2 = randomPose(random, 2);
    const auto a = penetrating(*ball, pose1, *bar, pose2, CrossingSearch::kTrees);
    const auto b = penetrating(*ball, pose1, *bar, pose2, CrossingSearch::kSpatialHash);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
      EXPECT_EQ(a[k].vertex, b[k].vertex);
      EXPECT_EQ(a[k].depth, b[k].depth);
      EXPECT_EQ(a[k].direction, b[k].direction);
    }
  }
}

TEST(Penetration, ContactsFollowTheConvention) {
  const MeshPtr small = boxSoup({1, 1, 1}, 2).build(), large = boxSoup({4, 4, 2}).build();
  const Pose on_top{{}, {0, 0, 1.4}};
  Contact contacts[8];
  QueryStats stats;
  ASSERT_EQ(collideByPenetration(*small, on_top, *large, {}, contacts, CrossingSearch::kTrees, &stats), 8U);
  EXPECT_EQ(stats.contacts_found, 9U);
  for (const Contact& c : contacts) {
    EXPECT_NEAR(c.depth, 0.1, 1e-12);
    EXPECT_NEAR(c.normal.z, 1, 1e-12);
    EXPECT_NEAR(c.position.z, 0.95, 1e-12);
  }
  ASSERT_EQ(collideByPenetration(*large, {}, *small, on_top, contacts), 8U);
  for (const Contact& c : contacts) EXPECT_NEAR(c.normal.z, -1, 1e-12);
}

TEST(Penetration, NothingForSheetsApartMeshesAndBadPoses) {
  Soup sheet;
  sheet.addTriangle({-5, -5, 0}, {5, -5, 0}, {0, 5, 0});
  const MeshPtr ball = sphereSoup(1, 12, 8).build(), open = sheet.build();
  const Pose bad{{}, {0, std::numeric_limits<double>::quiet_NaN(), 0}};
  EXPECT_TRUE(penetrating(*ball, {{}, {3, 0, 0}}, *ball, {}).empty());
  EXPECT_TRUE(penetrating(*ball, bad, *ball, {}).empty());
  for (const PenetratingVertex& p : penetrating(*ball, {}, *open, {})) EXPECT_EQ(p.mesh, 2);
  const MeshPtr large = sphereSoup(3, 12, 8).build();
  EXPECT_TRUE(penetrating(*ball, {}, *large, {}).empty()) << "wholly inside: no crossing to start from";
  EXPECT_EQ(collideByPenetration(*ball, {}, *ball, {{}, {1, 0, 0}}, {}), 0U);
}

TEST(SpatialHash, FindsEachNearItemOnce) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<Aabb> boxes(400);
  for (Aabb& box : boxes) {
    const Vec3 lo{uniform(random), uniform(random), uniform(random)};
    box = {lo, lo + Vec3{uniform(random), uniform(random), uniform(random)} * 0.2};
  }
  boxes.push_back({{-1, -1, -1}, {2, 2, 2}});
  const SpatialHash table(boxes);
  EXPECT_LT(table.entryCount(), 33 * boxes.size());
  for (int trial = 0; trial < 100; ++trial) {
    const Vec3 lo = 3 * Vec3{uniform(random), uniform(random), uniform(random)} - Vec3{1, 1, 1};
    const Aabb query{lo, lo + Vec3{0.1, 0.3, 0.2}};
    std::vector<int> seen(boxes.size());
    table.forEachNear(query, [&](std::uint32_t item) { ++seen[item]; });
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      bool overlaps = true;
      for (int axis = 0; axis < 3; ++axis)
        overlaps = overlaps && boxes[i].lo[axis] <= query.hi[axis] && query.lo[axis] <= boxes[i].hi[axis];
      EXPECT_LE(seen[i], 1);
      if (overlaps) {
        EXPECT_EQ(seen[i], 1);
      }
    }
  }
}

TEST(SpatialHash, TakesNothingAndPoints) {
  const SpatialHash empty(std::vector<Aabb>{});
  EXPECT_EQ(empty.forEachNear({{0, 0, 0}, {1, 1, 1}}, [](std::uint32_t) {}), 0U);
  const std::vector<Aabb> point{{{1, 1, 1}, {1, 1, 1}}};
  std::size_t found = 0;
  SpatialHash(point).forEachNear({{0, 0, 0}, {1, 1, 1}}, [&](std::uint32_t) { ++found; });
  EXPECT_EQ(found, 1U);
}

TEST(SpatialHash, TakesBoxesThatAreNotFinite) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::vector<Aabb> boxes{{{kNan, kNan, kNan}, {kNan, kNan, kNan}},
                                {{-kInfinity, 0, 0}, {kInfinity, 1, 1}},
                                {{0, 0, 0}, {1, 1, 1}}};
  const SpatialHash table(boxes);
  for (const Aabb& box : boxes) {
    std::vector<std::uint32_t> seen;
    table.forEachNear(box, [&](std::uint32_t item) { seen.push_back(item); });
    EXPECT_LE(seen.size(), boxes.size());
  }
}

}  // namespace
}  // namespace odemesh
