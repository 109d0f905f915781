// FlatParts::kMerge: the same solid with fewer triangles, and the way back to the triangles of the input.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <odemesh/collide.hpp>
#include <odemesh/distance.hpp>
#include <odemesh/mesh.hpp>
#include <odemesh/methods.hpp>
#include <odemesh/motion.hpp>
#include <odemesh/penetration.hpp>
#include <vector>

#include "test_meshes.hpp"

namespace odemesh {
namespace {

using test::boxSoup;
using test::MeshPtr;
using test::Soup;

void roundToFloats(Soup& soup) {
  for (Vec3& p : soup.vertices) p = {double(float(p.x)), double(float(p.y)), double(float(p.z))};
}

/// A square ring: a slab with a square hole, all its walls cut into cells.
Soup ringSoup(int cells) {
  Soup out;
  const auto addQuad = [&](const Vec3& o, const Vec3& u, const Vec3& v) {
    for (int i = 0; i < cells; ++i)
      for (int j = 0; j < cells; ++j) {
        const auto at = [&](int a, int b) {
          return o + u * (double(i + a) / cells) + v * (double(j + b) / cells);
        };
        out.addTriangle(at(0, 0), at(1, 0), at(1, 1));
        out.addTriangle(at(0, 0), at(1, 1), at(0, 1));
      }
  };
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      if (i == 1 && j == 1) continue;
      const Vec3 o{double(i), double(j), 0};
      addQuad(o + Vec3{0, 0, 1}, {1, 0, 0}, {0, 1, 0});
      addQuad(o, {0, 1, 0}, {1, 0, 0});
    }
  for (int k = 0; k < 3; ++k) {
    const double s = k;
    addQuad({s, 0, 0}, {1, 0, 0}, {0, 0, 1});
    addQuad({s + 1, 3, 0}, {-1, 0, 0}, {0, 0, 1});
    addQuad({0, s + 1, 0}, {0, -1, 0}, {0, 0, 1});
    addQuad({3, s, 0}, {0, 1, 0}, {0, 0, 1});
  }
  addQuad({2, 1, 0}, {-1, 0, 0}, {0, 0, 1});
  addQuad({1, 2, 0}, {1, 0, 0}, {0, 0, 1});
  addQuad({1, 1, 0}, {0, 1, 0}, {0, 0, 1});
  addQuad({2, 2, 0}, {0, -1, 0}, {0, 0, 1});
  roundToFloats(out);
  return out;
}

TEST(FlatMergeTest, ABoxHasTwelveTrianglesHoweverItIsCut) {
  std::mt19937_64 random(1);
  for (const int cells : {1, 2, 4, 7, 16})
    for (int turn = 0; turn < 4; ++turn) {
      Soup soup = boxSoup({1, 2, 3}, cells);
      const double scale = turn > 0 ? std::pow(10, 2 * turn - 4) : 1;
      if (turn > 0) soup.transform(test::randomPose(random, 4 * scale), scale);
      roundToFloats(soup);
      const MeshPtr mesh = soup.buildMerged();
      ASSERT_TRUE(mesh);
      EXPECT_EQ(mesh->triangleCount(), 12U) << cells << " cells, turn " << turn;
      EXPECT_EQ(mesh->vertexCount(), 8U);
      EXPECT_TRUE(mesh->isSolid());
      EXPECT_NEAR(mesh->topology().volume, 6 * std::pow(scale, 3), 1e-5 * std::pow(scale, 3));
    }
}

TEST(FlatMergeTest, HolesAndOutlinesStay) {
  for (const int cells : {1, 3, 8}) {
    const MeshPtr mesh = ringSoup(cells).buildMerged();
    ASSERT_TRUE(mesh);
    EXPECT_TRUE(mesh->isSolid());
    EXPECT_NEAR(mesh->topology().volume, 8, 1e-9);
    EXPECT_NEAR(mesh->topology().area, 2 * 8 + 12 + 4, 1e-9);
    EXPECT_EQ(mesh->topology().components, 1U);
    // Sixteen corners, genus one: V - E + F = 0 leaves 32 faces, and less is not possible.
    EXPECT_EQ(mesh->vertexCount(), 16U) << cells;
    EXPECT_EQ(mesh->triangleCount(), 32U) << cells;
  }
}

TEST(FlatMergeTest, AnOpenSheetKeepsItsBorder) {
  Soup soup;
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 10; ++j) {
      const auto at = [&](int a, int b) { return Vec3{0.1 * (i + a), 0.1 * (j + b), 0.5}; };
      soup.addTriangle(at(0, 0), at(1, 0), at(1, 1));
      soup.addTriangle(at(0, 0), at(1, 1), at(0, 1));
    }
  const MeshPtr mesh = soup.buildMerged();
  ASSERT_TRUE(mesh);
  EXPECT_EQ(mesh->triangleCount(), 2U);
  EXPECT_EQ(mesh->topology().border_edges, 4U);
  EXPECT_NEAR(mesh->topology().area, 1, 1e-12);
}

TEST(FlatMergeTest, CurvedSurfacesStayAsTheyAre) {
  const Soup soup = test::sphereSoup(1, 40, 20);
  const MeshPtr mesh = soup.buildMerged();
  ASSERT_TRUE(mesh);
  EXPECT_EQ(mesh->triangleCount(), soup.build()->triangleCount());
  EXPECT_EQ(mesh->inputTriangleAt(17, mesh->vertex(17, 0)), mesh->inputTriangle(17));
}

TEST(FlatMergeTest, ABentFaceIsNotFlat) {
  Soup soup = boxSoup({1, 1, 1}, 8);
  for (Vec3& p : soup.vertices) p.z += 1e-4 * p.x * p.x;
  EXPECT_NEAR(soup.buildMerged()->topology().volume, soup.build()->topology().volume, 1e-9);
  EXPECT_GT(soup.buildMerged()->triangleCount(), 12U + 12U);
}

TEST(FlatMergeTest, TrianglesGivenTwiceCountOnce) {
  Soup soup = boxSoup({1, 1, 1}, 3);
  const Soup once = soup;
  soup.indices.insert(soup.indices.end(), once.indices.begin(), once.indices.end());
  EXPECT_FALSE(soup.build()->isSolid());
  EXPECT_TRUE(soup.buildMerged()->isSolid());
  EXPECT_EQ(soup.buildMerged()->triangleCount(), 12U);
}

// The time that it takes is not the square of the number of triangles around the hub.
TEST(FlatMergeTest, AFaceOfThousandsOfTrianglesAroundAHubIsMerged) {
  constexpr int kCells = 5000;
  const auto at = [](int i, double z) {
    const double along = 2.0 * (i % kCells) / kCells - 1;
    const int side = i / kCells % 4;
    return side == 0   ? Vec3{along, -1, z}
           : side == 1 ? Vec3{1, along, z}
           : side == 2 ? Vec3{-along, 1, z}
                       : Vec3{-1, -along, z};
  };
  Soup box;
  for (int i = 0; i < 4 * kCells; ++i) {
    box.addTriangle({0, 0, 1}, at(i, 1), at(i + 1, 1));
    box.addTriangle({0, 0, -1}, at(i + 1, -1), at(i, -1));
    box.addTriangle(at(i, -1), at(i + 1, -1), at(i + 1, 1));
    box.addTriangle(at(i, -1), at(i + 1, 1), at(i, 1));
  }
  const MeshPtr mesh = box.buildMerged();
  EXPECT_TRUE(mesh->isConvex());
  EXPECT_EQ(mesh->triangleCount(), 12U);
}

TEST(FlatMergeTest, NonManifoldSurfacesAreKept) {
  Soup soup = boxSoup({1, 1, 1}, 4);
  soup.addTriangle(soup.vertices[0], soup.vertices[1], {3, 3, 3});
  EXPECT_EQ(soup.buildMerged()->triangleCount(), soup.build()->triangleCount());
}

/// The middle of every input triangle leads back to that triangle.
TEST(FlatMergeTest, PointsLeadBackToTheirInputTriangle) {
  std::mt19937_64 random(7);
  Soup soup = ringSoup(5);
  soup.transform(test::randomPose(random, 2));
  const MeshPtr given = soup.build();
  const MeshPtr mesh = soup.buildMerged();
  ASSERT_LT(mesh->triangleCount(), given->triangleCount());
  std::size_t tried = 0;
  for (std::size_t t = 0; t < given->triangleCount(); ++t) {
    const Vec3 middle = (given->vertex(t, 0) + given->vertex(t, 1) + given->vertex(t, 2)) / 3;
    for (std::size_t m = 0; m < mesh->triangleCount(); ++m) {
      if (dot(mesh->normal(m), given->normal(t)) < 0.999) continue;
      if (std::abs(dot(mesh->normal(m), middle - mesh->vertex(m, 0))) > 1e-6) continue;
      EXPECT_EQ(mesh->inputTriangleAt(m, middle), given->inputTriangle(t));
      ++tried;
      break;
    }
  }
  EXPECT_EQ(tried, given->triangleCount());
}

/// A sphere, none of whose triangles are merged, and beside it a box, all of whose are.
Soup sphereAndCutBox(int segments, int rings) {
  Soup soup = test::sphereSoup(1, segments, rings), box = boxSoup({1, 1, 1}, 3);
  box.transform({{}, {5, 0, 0}});
  soup.add(box);
  return soup;
}

// A fixed bug: one flat part that was merged brought records of all other triangles, 45 bytes each.
TEST(FlatMergeTest, OnlyWhatWasMergedTakesMemoryForTheWayBack) {
  const Soup soup = sphereAndCutBox(60, 40);
  const MeshPtr given = soup.build(), mesh = soup.buildMerged();
  ASSERT_LT(mesh->triangleCount(), given->triangleCount());
  EXPECT_LT(mesh->memoryBytes(), given->memoryBytes() + 5 * given->triangleCount());
}

TEST(FlatMergeTest, WhatWasNotMergedKeepsItsNumbers) {
  const MeshPtr given = sphereAndCutBox(16, 8).build(), mesh = sphereAndCutBox(16, 8).buildMerged();
  const auto middleOf = [](const Mesh& of, std::size_t t) {
    return (of.vertex(t, 0) + of.vertex(t, 1) + of.vertex(t, 2)) / 3;
  };
  std::size_t found = 0;
  for (std::size_t m = 0; m < mesh->triangleCount(); ++m)
    for (std::size_t t = 0; t < given->triangleCount(); ++t) {
      const Vec3 middle = middleOf(*given, t);
      if (middle.x > 2 || length(middle - middleOf(*mesh, m)) > 1e-9) continue;
      EXPECT_EQ(mesh->inputTriangle(m), given->inputTriangle(t));
      EXPECT_EQ(mesh->inputTriangleAt(m, middle), given->inputTriangle(t));
      ++found;
    }
  EXPECT_EQ(found, mesh->triangleCount() - 12);
}

// A fixed bug: queries named the first triangle of a flat part, wherever in it their point was.
TEST(FlatMergeTest, QueriesNameTheTriangleAtTheirPoint) {
  std::mt19937_64 random(3);
  const Pose pose = test::randomPose(random, 2), other_pose = test::randomPose(random, 2);
  const Soup soup = boxSoup({1, 2, 3}, 4);
  const MeshPtr given = soup.build(), mesh = soup.buildMerged(), speck = boxSoup({1e-3, 1e-3, 1e-3}).build();
  ASSERT_EQ(mesh->triangleCount(), 12U);
  for (std::size_t t = 0; t < given->triangleCount(); ++t) {
    const Vec3 middle = (given->vertex(t, 0) + given->vertex(t, 1) + given->vertex(t, 2)) / 3;
    const Vec3 above = pose.apply(middle + given->normal(t) * 0.1);
    const std::uint32_t expected = given->inputTriangle(t);
    EXPECT_EQ(closestPoint(*mesh, pose, above)->triangle, expected);
    EXPECT_EQ(castSegment(*mesh, pose, above, pose.apply(middle - given->normal(t) * 0.1))->triangle,
              expected);
    const Pose speck_pose{other_pose.rotation, above};
    EXPECT_EQ(meshDistance(*mesh, pose, *speck, speck_pose)->triangle1, expected);
    EXPECT_EQ(meshDistance(*speck, speck_pose, *mesh, pose)->triangle2, expected);
  }
}

// The same bug in the pairs of triangles that meet, of which some came twice, and in penetration depths.
TEST(FlatMergeTest, PairsAndPenetrationsNameTrianglesWhereTheyMeet) {
  const Soup soup = boxSoup({1, 2, 3}, 4);
  const MeshPtr given = soup.build(), mesh = soup.buildMerged(), speck = boxSoup({1e-2, 1e-2, 1e-2}).build();
  std::mt19937_64 random(4);
  const Pose pose = test::randomPose(random, 2);
  for (std::size_t t = 0; t < given->triangleCount(); ++t) {
    const Vec3 middle = (given->vertex(t, 0) + given->vertex(t, 1) + given->vertex(t, 2)) / 3;
    const Pose speck_pose{test::randomRotation(random), pose.apply(middle)};
    const std::uint32_t expected = given->inputTriangle(t);
    std::vector<TrianglePair> pairs, swapped;
    intersectingTriangles(*mesh, pose, *speck, speck_pose, pairs);
    intersectingTriangles(*speck, speck_pose, *mesh, pose, swapped);
    ASSERT_FALSE(pairs.empty());
    EXPECT_EQ(swapped.size(), pairs.size());
    EXPECT_EQ(std::adjacent_find(pairs.begin(), pairs.end()), pairs.end());
    for (const TrianglePair& pair : pairs) EXPECT_EQ(pair.triangle1, expected);
    for (const TrianglePair& pair : swapped) EXPECT_EQ(pair.triangle2, expected);
    std::vector<PenetratingVertex> vertices;
    penetratingVertices(*speck, speck_pose, *mesh, pose, vertices);
    ASSERT_FALSE(vertices.empty());
    for (const PenetratingVertex& v : vertices) EXPECT_EQ(v.face, expected);
  }
}

// Fuzzing found that the documented mid phases named the first triangle of a part still.
TEST(FlatMergeTest, EveryMidPhaseNamesTheSameTriangles) {
  std::mt19937_64 random(5);
  const MeshPtr mesh1 = boxSoup({1, 2, 3}, 4).buildMerged(), mesh2 = boxSoup({2, 1, 1}, 3).buildMerged();
  for (int trial = 0; trial < 8; ++trial) {
    const Pose pose1 = test::randomPose(random, 1), pose2 = test::randomPose(random, 1);
    std::vector<TrianglePair> expected;
    intersectingTriangles(*mesh1, pose1, *mesh2, pose2, expected);
    ASSERT_FALSE(expected.empty());
    for (const MidPhase method : kMidPhases) {
      std::vector<TrianglePair> found;
      PairFinder(method, mesh1, mesh2).findAll(pose1, pose2, found);
      EXPECT_EQ(found, expected) << name(method);
    }
  }
}

TEST(FlatMergeTest, PenetrationContactsNameATriangleAtTheirVertex) {
  const Soup soup = boxSoup({1, 1, 1}, 4);
  const MeshPtr mesh = soup.buildMerged(), floor = boxSoup({4, 4, 1}).build();
  const Pose sunk{{}, {0, 0, 0.95}};
  std::array<Contact, 8> out;
  const std::size_t count = collideByPenetration(*mesh, sunk, *floor, {}, out);
  ASSERT_EQ(count, 4U);
  for (std::size_t i = 0; i < count; ++i) {
    double nearest = 1;
    for (int k = 0; k < 3; ++k)
      nearest = std::min(nearest, length(sunk.apply(soup.vertices[soup.indices[3 * out[i].triangle1 + k]]) +
                                         Vec3{0, 0, 0.025} - out[i].position));
    EXPECT_LT(nearest, 1e-6) << i;
  }
}

TEST(FlatMergeTest, ImpactsWithAPlaneNameATriangleAtTheirVertex) {
  const Soup soup = boxSoup({1, 2, 3}, 4);
  Motion falling;
  falling.pose.translation.z = 10;
  falling.centre = falling.pose.translation;
  falling.velocity.z = -1000;
  std::array<Impact, 8> out;
  const std::size_t count = findImpactsWithPlane(*soup.buildMerged(), falling, {0, 0, 1}, 0, 0.1, out);
  ASSERT_EQ(count, out.size());  // all corners pass the plane
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 at = out[i].position - falling.pose.translation;
    double nearest = 1;
    for (int k = 0; k < 3; ++k)
      nearest = std::min(nearest, length(soup.vertices[soup.indices[3 * out[i].triangle1 + k]] - at));
    EXPECT_LT(nearest, 1e-6) << i;
  }
}

// A fixed bug: beyond the range of floats a contact had no triangle.
TEST(FlatMergeTest, OfHugeMeshesTheTriangleIsKnown) {
  for (const double size : {1e30, 1e39, 1e50}) {
    const Soup soup = boxSoup(Vec3{1, 1, 1} * size, 2);
    const MeshPtr mesh = soup.buildMerged();
    ASSERT_TRUE(mesh);
    for (std::uint32_t t = 0; t < mesh->triangleCount(); ++t)
      EXPECT_LT(mesh->inputTriangleAt(t, mesh->vertex(t, 0)), soup.indices.size() / 3) << size;
  }
}

}  // namespace
}  // namespace odemesh
