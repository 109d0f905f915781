// Mesh::build: welding, adjacency, what is known of the surface, and every kind of bad input.
#include <gtest/gtest.h>

#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
#include <malloc.h>
#define ODEMESH_HAS_MALLINFO
#endif

#include <algorithm>
#include <cmath>
#include <limits>
#include <odemesh/mesh.hpp>
#include <random>
#include <set>

#include "test_meshes.hpp"

namespace odemesh {
namespace {

using test::boxSoup;
using test::randomPose;
using test::Soup;
using test::sphereSoup;

std::vector<MeshProblem::Kind> kindsOf(const Mesh::Built& built) {
  std::vector<MeshProblem::Kind> out;
  for (const MeshProblem& p : built.problems) out.push_back(p.kind);
  return out;
}

TEST(MeshTest, WeldsABoxOfLooseTriangles) {
  const auto box = boxSoup({2, 3, 4}).build();
  ASSERT_TRUE(box);
  EXPECT_EQ(box->vertexCount(), 8U);
  EXPECT_EQ(box->triangleCount(), 12U);
  EXPECT_EQ(box->edges().size(), 18U);
  EXPECT_TRUE(box->isSolid());
  EXPECT_EQ(box->topology().components, 1U);
  EXPECT_NEAR(box->topology().volume, 24, 1e-12);
  EXPECT_NEAR(box->sphereRadius(), std::sqrt(1 + 2.25 + 4), 1e-12);
}

TEST(MeshTest, ZeroAndMinusZeroAreOnePlace) {
  const std::vector<Vec3> vertices{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-0.0, -0.0, 0}, {1, 0, -0.0}, {0, 0, 1}};
  const std::vector<std::uint32_t> indices{0, 1, 2, 3, 5, 4};
  const auto built = Mesh::build(vertices, indices);
  ASSERT_TRUE(built.mesh);
  EXPECT_EQ(built.mesh->vertexCount(), 4U);
  EXPECT_EQ(built.mesh->topology().border_edges, 4U);
}

TEST(MeshTest, ConvexIsASolidInOnePieceWithoutDents) {
  EXPECT_TRUE(boxSoup({1, 2, 3}).build()->isConvex());
  std::mt19937_64 random(3);
  Soup cut = boxSoup({1, 2, 3}, 7);
  cut.transform(randomPose(random, 5));
  for (Vec3& v : cut.vertices) v = {double(float(v.x)), double(float(v.y)), double(float(v.z))};
  EXPECT_TRUE(cut.build()->isConvex());  // in floats, faces are not quite flat
  EXPECT_TRUE(sphereSoup(1, 64, 48).build()->isConvex());

  Soup dented = sphereSoup(1, 64, 48);
  for (Vec3& v : dented.vertices)
    if (v.z > 0.9) v.z = 1.8 - v.z;
  EXPECT_FALSE(dented.build()->isConvex());
  Soup two = boxSoup({1, 1, 1}), other = boxSoup({1, 1, 1});
  other.transform({Mat3{}, {3, 0, 0}});
  for (std::size_t i = 0; i < other.indices.size(); i += 3)
    two.addTriangle(other.vertices[i], other.vertices[i + 1], other.vertices[i + 2]);
  EXPECT_FALSE(two.build()->isConvex());
  Soup open = boxSoup({1, 1, 1});
  open.indices.resize(open.indices.size() - 3);
  EXPECT_FALSE(open.build()->isConvex());
}

TEST(MeshTest, InsideOutIsClosedButNoSolid) {
  Soup box = boxSoup({1, 1, 1});
  for (std::size_t t = 0; t < box.indices.size(); t += 3) std::swap(box.indices[t], box.indices[t + 1]);
  const auto mesh = box.build();
  EXPECT_TRUE(mesh->topology().isWatertight());
  EXPECT_NEAR(mesh->topology().volume, -1, 1e-12);
  EXPECT_FALSE(mesh->isSolid());
}

TEST(MeshTest, TellsBordersFlipsAndBranchesApart) {
  Soup open = boxSoup({1, 1, 1});
  open.indices.resize(open.indices.size() - 3);
  EXPECT_EQ(open.build()->topology().border_edges, 3U);

  Soup flipped = boxSoup({1, 1, 1});
  std::swap(flipped.indices[0], flipped.indices[1]);
  EXPECT_EQ(flipped.build()->topology().flipped_edges, 3U);

  Soup fin = boxSoup({1, 1, 1});
  fin.addTriangle({0.5, 0.5, 0.5}, {0.5, 0.5, -0.5}, {2, 2, 0});
  EXPECT_EQ(fin.build()->topology().non_manifold_edges, 1U);
}

TEST(MeshTest, InnerVerticesOfACutFaceAreFlat) {
  const auto box = boxSoup({1, 1, 1}, 4).build();
  std::size_t flat = 0;
  for (std::size_t v = 0; v < box->vertexCount(); ++v) flat += box->isFlat(v) ? 1 : 0;
  EXPECT_EQ(flat, 6U * 9U);
}

TEST(MeshTest, VerticesKnowWhetherTheyLieOnABorder) {
  Soup open = boxSoup({1, 1, 1}, 4);
  open.indices.resize(open.indices.size() - 3);
  const auto mesh = open.build();
  std::set<std::uint32_t> on_border;
  for (const MeshEdge& e : mesh->edges())
    if (e.triangle[1] == Mesh::kNone) on_border.insert({e.v[0], e.v[1]});
  EXPECT_EQ(on_border.size(), 3U);
  for (std::uint32_t v = 0; v < mesh->vertexCount(); ++v) {
    EXPECT_EQ(mesh->isOnBorder(v), on_border.contains(v)) << v;
    EXPECT_FALSE(mesh->isOnBorder(v) && mesh->isFlat(v)) << v;
  }
}

TEST(MeshTest, EveryEdgeKnowsItsTriangles) {
  const auto mesh = boxSoup({1, 2, 3}, 3).build();
  for (std::uint32_t t = 0; t < mesh->triangleCount(); ++t)
    for (int i = 0; i < 3; ++i) {
      const MeshEdge e = mesh->edges()[mesh->edgeOf(t, i)];
      EXPECT_TRUE(e.triangle[0] == t || e.triangle[1] == t);
      const auto [low, high] = std::minmax(mesh->corners(t)[i], mesh->corners(t)[(i + 1) % 3]);
      EXPECT_EQ(e.v[0], low);
      EXPECT_EQ(e.v[1], high);
    }
}

TEST(MeshTest, EveryVertexKnowsItsEdges) {
  const auto mesh = boxSoup({1, 2, 3}, 3).build();
  std::size_t ends = 0;
  for (std::uint32_t v = 0; v < mesh->vertexCount(); ++v) {
    std::vector<std::uint32_t> edges;
    for (const std::uint32_t e : mesh->edgesAt(v)) {
      EXPECT_TRUE(mesh->edges()[e].v[0] == v || mesh->edges()[e].v[1] == v);
      edges.push_back(e);
    }
    EXPECT_TRUE(std::is_sorted(edges.begin(), edges.end()));
    EXPECT_EQ(std::adjacent_find(edges.begin(), edges.end()), edges.end());
    EXPECT_EQ(edges.size(), mesh->edgesAt(v).size());
    EXPECT_EQ(edges.front(), mesh->edgesAt(v).front());
    std::vector<std::uint32_t> neighbours;
    const auto [lower, higher] = mesh->neighboursAt(v);
    for (const auto& part : {lower, higher}) neighbours.insert(neighbours.end(), part.begin(), part.end());
    ASSERT_EQ(neighbours.size(), edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) EXPECT_EQ(neighbours[i], mesh->otherEnd(edges[i], v));
    ends += edges.size();
  }
  EXPECT_EQ(ends, 2 * mesh->edges().size());
}

TEST(MeshTest, TakesNoMoreMemoryThanItSays) {
  const Soup sphere = test::sphereSoup(1, 120, 80);
#ifdef ODEMESH_HAS_MALLINFO
  const auto used = [] {
    const auto info = mallinfo2();
    return info.uordblks + info.hblkhd;
  };
  const std::size_t before = used();
  const auto mesh = sphere.build();
  const auto held = static_cast<double>(used() - before);
  if (held > 0) {  // sanitizers replace malloc
    EXPECT_NEAR(held / static_cast<double>(mesh->memoryBytes()), 1, 0.02);
  }
#else
  const auto mesh = sphere.build();
#endif
  EXPECT_LE(mesh->memoryBytes(), 120 * mesh->triangleCount());
}

// However it lies in its frame, and however its faces are cut.
TEST(MeshTest, KnowsTheAxisAlongWhichItIsThin) {
  std::mt19937_64 random(4);
  for (const int cells : {1, 5}) {
    Soup plate = boxSoup({1, 0.02, 0.7}, cells);
    const Pose pose = randomPose(random, 3);
    plate.transform(pose);
    const auto mesh = plate.build();
    EXPECT_NEAR(std::abs(dot(mesh->thinAxis(), pose.rotate({0, 1, 0}))), 1, 1e-12) << cells;
    EXPECT_NEAR(mesh->thinReach(), 0.01, 1e-10) << cells;
  }
  EXPECT_EQ(boxSoup({1, 0.02, 0.7}).build()->thinReach(), 0);  // so far reaches its box
  EXPECT_EQ(boxSoup({1, 0.9, 1.1}).build()->thinAxis(), Vec3{});
  EXPECT_EQ(boxSoup({0.02, 1, 0.02}).build()->thinAxis(), Vec3{});
  EXPECT_EQ(sphereSoup(1, 12, 8).build()->thinAxis(), Vec3{});
}

TEST(MeshTest, LeavesOutAndNamesBadTriangles) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<Vec3> vertices{{0, 0, 0},   {1, 0, 0}, {0, 1, 0},    {nan, 0, 0},
                                   {0, inf, 0}, {2, 0, 0}, {1e200, 0, 0}};
  const std::vector<std::uint32_t> indices{0, 1, 2, 0, 1, 3, 0, 1, 4, 0, 1, 5, 0, 1, 99, 0, 1, 6, 0, 0, 1};
  const auto built = Mesh::build(vertices, indices);
  ASSERT_TRUE(built.mesh);
  EXPECT_EQ(built.mesh->triangleCount(), 1U);
  using enum MeshProblem::Kind;
  EXPECT_EQ(kindsOf(built), (std::vector{kVertexNotFinite, kVertexNotFinite, kZeroArea, kIndexOutOfRange,
                                         kVertexTooLarge, kZeroArea}));
  EXPECT_NE(built.problems[0].text().find("triangle 1"), std::string::npos);
}

TEST(MeshTest, LeavesOutTrianglesWhoseSizeCantBeSquared) {
  for (const double size : {1e-99, 1e-101, 1e-200, 5e-324}) {
    Soup soup = boxSoup({1, 1, 1});
    soup.transform({}, size);
    const auto mesh = soup.build();
    ASSERT_EQ(mesh != nullptr, size == 1e-99) << size;
    if (size == 1e-99) {
      EXPECT_GT(mesh->sphereRadius(), 0.8 * size);
    }
  }
}

TEST(MeshTest, KeepsTheInputNumbersOfTheOthers) {
  Soup soup;
  soup.addTriangle({0, 0, 0}, {1, 0, 0}, {2, 0, 0});
  soup.addTriangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  const auto mesh = soup.build();
  ASSERT_EQ(mesh->triangleCount(), 1U);
  EXPECT_EQ(mesh->inputTriangle(0), 1U);
}

TEST(MeshTest, RefusesWhatIsNoMesh) {
  const std::vector<Vec3> vertices{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  EXPECT_EQ(kindsOf(Mesh::build(vertices, std::vector<std::uint32_t>{0, 1})),
            std::vector{MeshProblem::Kind::kIndexCount});
  EXPECT_EQ(kindsOf(Mesh::build({}, {})), std::vector{MeshProblem::Kind::kNoTriangles});
  EXPECT_FALSE(Mesh::build(vertices, std::vector<std::uint32_t>{0, 0, 0}).mesh);
}

TEST(MeshTest, NormalsOfTinyAndHugeTriangles) {
  for (const double scale : {1e-90, 1e-30, 1.0, 1e30, 1e90}) {
    Soup soup;
    soup.addTriangle({0, 0, 0}, {scale, 0, 0}, {0, scale, 0});
    const auto mesh = soup.build();
    ASSERT_TRUE(mesh) << scale;
    EXPECT_NEAR(mesh->normal(0).z, 1, 1e-15) << scale;
  }
}

}  // namespace
}  // namespace odemesh
