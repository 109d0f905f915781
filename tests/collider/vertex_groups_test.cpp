// Groups of vertices, and the inside that spreads over them, against each vertex by itself.
#include "mesh/vertex_groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <odemesh/collide.hpp>
#include <random>
#include <vector>

#include "contact/pair_order.hpp"
#include "contact/placed_mesh.hpp"
#include "contact/region/point_in_solid.hpp"
#include "contact/scratch.hpp"
#include "test_meshes.hpp"

namespace odemesh::test {
namespace {

/// Two balls, which have nothing in common.
Soup twoBalls() {
  Soup out = sphereSoup(1, 80, 60);
  const Soup other = sphereSoup(0.4, 40, 30);
  const auto first = static_cast<std::uint32_t>(out.vertices.size());
  for (const Vec3& v : other.vertices) out.vertices.push_back(v + Vec3{1.8, 0, 0});
  for (const std::uint32_t i : other.indices) out.indices.push_back(first + i);
  return out;
}

/// Those of a group that edges of the group lead to from its first vertex.
std::size_t reached(const Mesh& mesh, std::uint32_t group) {
  const VertexGroups& groups = *mesh.vertexGroups();
  std::vector<std::uint32_t> found;
  groups.forEachVertex(group, [&](std::uint32_t v) {
    if (found.empty()) found.push_back(v);
  });
  for (std::size_t i = 0; i < found.size(); ++i)
    mesh.forEachNeighbour(found[i], [&](std::uint32_t v) {
      if (groups.groupOf(v) == group && std::ranges::find(found, v) == found.end()) found.push_back(v);
    });
  return found.size();
}

TEST(VertexGroups, SmallMeshesHaveNone) {
  EXPECT_EQ(boxSoup({1, 1, 1}).build()->vertexGroups(), nullptr);
}

TEST(VertexGroups, HoldEachVertexOnceAndHangTogether) {
  const auto mesh = twoBalls().build();
  ASSERT_NE(mesh->vertexGroups(), nullptr);
  const VertexGroups& groups = *mesh->vertexGroups();
  std::vector<int> seen(mesh->vertexCount(), 0);
  for (std::uint32_t group = 0; group < groups.size(); ++group) {
    groups.forEachVertex(group, [&](std::uint32_t v) {
      ++seen[v];
      ASSERT_EQ(groups.groupOf(v), group);
      ASSERT_TRUE(groups.holds(group, v));
    });
    ASSERT_EQ(reached(*mesh, group), groups.vertexCount(group));
  }
  EXPECT_EQ(std::ranges::count(seen, 1), std::ptrdiff_t(mesh->vertexCount()));
  EXPECT_LT(groups.size(), mesh->vertexCount() / 8);
}

TEST(VertexGroups, KnowTheirNeighboursAndBorder) {
  const auto mesh = twoBalls().build();
  const VertexGroups& groups = *mesh->vertexGroups();
  for (std::uint32_t group = 0; group < groups.size(); ++group) {
    std::vector<std::uint32_t> expected, border, known;
    groups.forEachVertex(group, [&](std::uint32_t v) {
      const std::size_t before = expected.size();
      mesh->forEachNeighbour(v, [&](std::uint32_t w) {
        if (groups.groupOf(w) != group) expected.push_back(groups.groupOf(w));
      });
      if (expected.size() > before) border.push_back(v);
    });
    std::ranges::sort(expected);
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    std::vector<std::uint32_t> found(groups.neighboursOf(group).begin(), groups.neighboursOf(group).end());
    std::ranges::sort(found);
    ASSERT_EQ(found, expected) << group;
    groups.forEachBorderVertex(group, [&](std::uint32_t v) { known.push_back(v); });
    ASSERT_EQ(known, border) << group;
  }
}

/// Is `point` farther from the surface than solids are blown up to find what crosses?
bool isClear(const PointInSolid& solid, const Vec3& point, bool is_inside) {
  for (const Vec3& off : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
    for (const double by : {-4e-5, 4e-5})
      if (solid.contains(point + by * off) != is_inside) return false;
  return true;
}

/// Are the vertices that the last query found inside those that lie inside, each once?
void expectInside(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2, const Pose& pose2) {
  const MeshPair pair = orderedPair(mesh1, pose1, mesh2, pose2).pair;
  for (int side = 0; side < 2; ++side) {
    const Mesh& mesh = pair[side].mesh();
    const InsideSet& inside = threadScratch().inside[side];
    const PointInSolid solid(pair[1 - side]);
    std::size_t each = 0, found = 0;
    for (std::uint32_t v = 0; v < mesh.vertexCount(); ++v) {
      const bool is_inside = inside.contains(mesh, v);
      each += is_inside ? 1 : 0;
      if (is_inside == solid.contains(pair[side].vertex(v))) continue;
      ASSERT_FALSE(isClear(solid, pair[side].vertex(v), !is_inside)) << "side " << side << ", vertex " << v;
    }
    for (std::uint32_t region = 0; region < threadScratch().patch_end.size(); ++region)
      found += inside.countOf(mesh, region);
    EXPECT_EQ(found, each);
  }
}

// Deep, shallow, and with one of the two balls wholly inside the box.
TEST(VertexGroups, TheInsideSpreadsOverThemAsOverVertices) {
  const auto balls = twoBalls().build(), ball = sphereSoup(0.9, 80, 60).build();
  const auto box = boxSoup({3, 1.5, 1.5}, 30).build();
  ASSERT_NE(box->vertexGroups(), nullptr);
  std::mt19937_64 random(3);
  std::array<Contact, 64> room;
  int meeting = 0, by_groups = 0;
  for (int i = 0; i < 60; ++i) {
    const Pose pose1 = randomPose(random, 2.5), pose2 = randomPose(random, 2.5);
    const auto& other = i % 2 == 0 ? *box : *ball;
    if (collide(*balls, pose1, other, pose2, room) == 0) continue;
    ++meeting;
    for (const InsideSet& inside : threadScratch().inside) by_groups += inside.groups.size() > 0 ? 1 : 0;
    expectInside(*balls, pose1, other, pose2);
    if (HasFatalFailure()) FAIL() << "pair " << i;
  }
  EXPECT_GT(meeting, 40);
  EXPECT_GT(by_groups, 10);
}

}  // namespace
}  // namespace odemesh::test
