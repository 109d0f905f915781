// Surfaces whose parts miss each other by little, against the closed ones that they were made from.
#include <gtest/gtest.h>

#include <cmath>
#include <odemesh/collide.hpp>
#include <random>
#include <vector>

#include "test_meshes.hpp"

namespace odemesh {
namespace {

using test::boxSoup;
using test::MeshPtr;
using test::Soup;
using test::sphereSoup;

/// Every vertex of every triangle moved by itself.
Soup noisy(Soup soup, double noise, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-noise, noise);
  for (Vec3& p : soup.vertices) p = p + Vec3{uniform(random), uniform(random), uniform(random)};
  return soup;
}

/// Cuts a quarter of the triangles in two, each at a side where its neighbour stays whole.
Soup withVerticesOnEdges(Soup soup, std::mt19937_64& random) {
  std::uniform_real_distribution<double> along(0.2, 0.8);
  for (std::size_t k = soup.indices.size() / 12; k > 0; --k) {
    const std::size_t t = random() % (soup.indices.size() / 3), side = random() % 3;
    const auto corner = [&](std::size_t i) -> Vec3& { return soup.vertices[soup.indices[3 * t + i % 3]]; };
    const Vec3 a = corner(side), b = corner(side + 1), c = corner(side + 2),
               cut = a + along(random) * (b - a);
    corner(side + 1) = cut;
    soup.addTriangle(cut, b, c);
  }
  return soup;
}

/// An open surface over the square of edge 1, cells x cells.
Soup sheetSoup(int cells) {
  Soup out;
  const auto at = [&](int i, int j) {
    return Vec3{1.0 * i / cells, 1.0 * j / cells, 0.02 * std::sin(2.0 * i) * std::cos(3.0 * j)};
  };
  for (int i = 0; i < cells; ++i) {
    for (int j = 0; j < cells; ++j) {
      out.addTriangle(at(i, j), at(i + 1, j), at(i + 1, j + 1));
      out.addTriangle(at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
  }
  return out;
}

struct Noise {
  double of_radius;
  double scale;
};

class StitchTest : public ::testing::TestWithParam<Noise> {
 protected:
  /// Has to be the solid that `soup` was before its parts came apart.
  void expectSolidOf(const Soup& broken, const Soup& whole) const {
    const MeshPtr mesh = broken.buildMerged(), want = whole.buildMerged();
    EXPECT_TRUE(mesh->isSolid()) << mesh->topology().border_edges << " borders";
    EXPECT_EQ(mesh->topology().components, 1U);
    const double volume = want->topology().volume;
    EXPECT_NEAR(mesh->topology().volume, volume, (1e-6 + 20 * GetParam().of_radius) * volume);
  }
  [[nodiscard]] Soup apart(const Soup& soup) {
    return noisy(soup, GetParam().of_radius * soup.buildMerged()->sphereRadius(), random_);
  }

  std::mt19937_64 random_{3};
};

INSTANTIATE_TEST_SUITE_P(Noises, StitchTest,
                         ::testing::Values(Noise{0, 1}, Noise{1e-16, 1}, Noise{1e-12, 1e-3}, Noise{1e-8, 1e3},
                                           Noise{1e-7, 1}, Noise{1e-6, 1e-3}, Noise{1e-5, 1e3},
                                           Noise{1e-4, 1}));

// Fixed bugs, these two: solids with such seams were sheets, and bodies deep in them told the wrong way out.
TEST_P(StitchTest, ClosesSeamsOfTrianglesOnTheirOwn) {
  for (Soup soup : {boxSoup({1, 2, 3}, 1), boxSoup({1, 1, 1}, 5), sphereSoup(1, 12, 8)}) {
    soup.transform({}, GetParam().scale);
    expectSolidOf(apart(soup), soup);
  }
}

TEST_P(StitchTest, ClosesSeamsWithVerticesOnEdges) {
  for (Soup soup : {boxSoup({1, 2, 3}, 2), boxSoup({1, 1, 1}, 5), sphereSoup(1, 12, 8)}) {
    soup.transform({}, GetParam().scale);
    expectSolidOf(apart(withVerticesOnEdges(soup, random_)), soup);
  }
}

TEST_P(StitchTest, ContactsAreThoseOfTheSolid) {
  const Soup whole = boxSoup({1, 1, 1}, 2), broken = apart(withVerticesOnEdges(whole, random_));
  const MeshPtr mesh = broken.buildMerged(), solid = whole.buildMerged();
  constexpr double kDepth = 1e-2;
  std::uniform_real_distribution<double> uniform(-0.9, 0.9);
  for (int k = 0; k < 200; ++k) {
    const Pose on_top{Mat3{}, {uniform(random_), uniform(random_), 1 - kDepth}};
    std::vector<Contact> contacts(64);
    contacts.resize(collide(*mesh, on_top, *mesh, {}, contacts));
    ASSERT_GT(contacts.size(), 0U);
    for (const Contact& c : contacts) {
      EXPECT_GT(c.normal.z, 1 - 1e-6 - 1e3 * GetParam().of_radius);
      EXPECT_NEAR(c.depth, kDepth, 1e-6 + 10 * GetParam().of_radius);
    }
  }
}

TEST(StitchedMeshTest, TrianglesKnowTheirInput) {
  std::mt19937_64 random(7);
  const Soup soup = noisy(withVerticesOnEdges(sphereSoup(1, 12, 8), random), 1e-5, random);
  const MeshPtr mesh = soup.buildMerged();
  ASSERT_TRUE(mesh->isSolid());
  for (std::size_t t = 0; t < mesh->triangleCount(); ++t) {
    const Vec3 middle = (mesh->vertex(t, 0) + mesh->vertex(t, 1) + mesh->vertex(t, 2)) / 3;
    const std::size_t input = mesh->inputTriangleAt(t, middle);
    const auto corner = [&](std::size_t i) { return soup.vertices[soup.indices[3 * input + i]]; };
    const Vec3 normal = normalised(cross(corner(1) - corner(0), corner(2) - corner(0)));
    EXPECT_NEAR(dot(normal, middle - corner(0)), 0, 1e-4);
    EXPECT_GT(dot(normal, mesh->normal(t)), 0.9);
  }
}

TEST(StitchedMeshTest, HolesStay) {
  Soup soup = boxSoup({1, 1, 1}, 5);
  soup.indices.resize(soup.indices.size() - 3);
  const MeshPtr mesh = soup.buildMerged();
  EXPECT_FALSE(mesh->isSolid());
  EXPECT_EQ(mesh->topology().border_edges, 3U);
}

TEST(StitchedMeshTest, SeamsBesideAHoleAreClosed) {
  std::mt19937_64 random(11);
  Soup soup = boxSoup({1, 1, 1}, 5);
  soup.indices.resize(soup.indices.size() - 3);
  const MeshPtr mesh = noisy(soup, 1e-8, random).buildMerged();
  EXPECT_EQ(mesh->topology().border_edges, 3U);
  EXPECT_EQ(mesh->topology().components, 1U);
}

/// Where something is left open, what is near each other may be meant so.
TEST(StitchedMeshTest, SheetsStayAsTheyAre) {
  Soup soup = sheetSoup(8), other = soup;
  other.transform({Mat3{}, {0, 0, 1e-4}});
  soup.add(other);
  Soup beside = sheetSoup(8);
  beside.transform({Mat3{}, {1 + 1e-4, 0, 0}});
  soup.add(beside);
  const Mesh::Built kept = Mesh::build(soup.vertices, soup.indices);
  const MeshPtr mesh = soup.buildMerged();
  EXPECT_EQ(mesh->topology().border_edges, kept.mesh->topology().border_edges);
  EXPECT_EQ(mesh->topology().components, 3U);
}

TEST(StitchedMeshTest, BoxesThatStandSideBySideStayTwo) {
  Soup soup = boxSoup({1, 1, 1}, 2), other = soup;
  other.transform({Mat3{}, {1 + 1e-5, 0, 0}});
  soup.add(other);
  EXPECT_EQ(soup.buildMerged()->topology().components, 2U);
}

// A fixed bug: the time grew with the square of their number, to minutes for 64,000.
TEST(StitchedMeshTest, ThousandsOfLooseTrianglesAtOnePlaceAreLeft) {
  std::mt19937_64 random(13);
  constexpr int kCorners = 4000;
  Soup cone;
  for (int i = 0; i < kCorners; ++i) {
    const auto at = [](int k) {
      const double angle = 6.283185307179586 * (k % kCorners) / kCorners;
      return Vec3{std::cos(angle), std::sin(angle), 0};
    };
    cone.addTriangle(at(i), at(i + 1), {0, 0, 1});
    cone.addTriangle(at(i + 1), at(i), {});
  }
  EXPECT_TRUE(cone.buildMerged()->isSolid());
  EXPECT_EQ(noisy(cone, 1e-6, random).buildMerged()->topology().components, 2U * kCorners);
}

// A fixed bug that fuzzing found: no triangle was left, and the build read beyond the end of the tree.
TEST(StitchedMeshTest, SliversThatWouldAllCollapseStay) {
  Soup soup;
  soup.vertices = {{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}, {2, 0, 0}, {0.5, 1e-8, 0}, {1, 1e-8, 0}};
  soup.indices = {0, 1, 4, 2, 3, 5};
  EXPECT_EQ(soup.buildMerged()->triangleCount(), 2U);
}

TEST(StitchedMeshTest, OnlyMergedMeshesAreStitched) {
  std::mt19937_64 random(5);
  const Soup soup = noisy(boxSoup({1, 1, 1}, 2), 1e-7, random);
  EXPECT_EQ(soup.build()->topology().border_edges, soup.indices.size());
}

}  // namespace
}  // namespace odemesh
