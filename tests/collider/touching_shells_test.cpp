// Meshes put together from closed shells that touch along edges or faces.
#include <gtest/gtest.h>

#include <algorithm>
#include <odemesh/collide.hpp>
#include <random>
#include <vector>

#include "contact/region/point_in_solid.hpp"
#include "test_meshes.hpp"

namespace odemesh::test {
namespace {

void append(Soup& soup, Soup part, const Vec3& at) {
  part.transform({Mat3{}, at});
  soup.add(part);
}

/// A rectangle from both sides.
void appendTwoLayers(Soup& soup, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  soup.addTriangle(a, b, c);
  soup.addTriangle(a, c, d);
  soup.addTriangle(c, b, a);
  soup.addTriangle(d, c, a);
}

std::vector<Contact> contactsOf(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2) {
  std::vector<Contact> contacts(32);
  contacts.resize(collide(mesh1, pose1, mesh2, {}, contacts));
  return contacts;
}

/// A floor from z = -1 to 0, and a wall beside it that stands as low and rises to z = 4.
Soup floorAndWall() {
  Soup soup;
  append(soup, boxSoup({4, 4, 1}), {0, 0, -0.5});
  append(soup, boxSoup({1, 4, 5}), {2.5, 0, 1.5});
  return soup;
}

TEST(TouchingShellsTest, BoxesThatShareAnEdgeAreSolid) {
  Soup soup = boxSoup({1, 1, 1});
  append(soup, boxSoup({1, 1, 1}), {1, 1, 0});
  for (const MeshPtr& mesh : {soup.build(), soup.buildMerged()}) {
    EXPECT_TRUE(mesh->isSolid());
    EXPECT_EQ(mesh->topology().components, 2U);
    EXPECT_EQ(mesh->vertexCount(), 16U);
    EXPECT_DOUBLE_EQ(mesh->topology().volume, 2);
  }
}

TEST(TouchingShellsTest, BoxesThatShareACornerAreTwo) {
  Soup soup = boxSoup({1, 1, 1});
  append(soup, boxSoup({1, 1, 1}), {1, 1, 1});
  for (const MeshPtr& mesh : {soup.build(), soup.buildMerged()}) {
    EXPECT_TRUE(mesh->isSolid());
    EXPECT_FALSE(mesh->isConvex());
    EXPECT_EQ(mesh->topology().components, 2U);
    EXPECT_EQ(mesh->vertexCount(), 16U);
  }
}

// Taken for a convex body, the pair would have to be left by the far side of the other box.
TEST(TouchingShellsTest, BoxesThatShareACornerAreLeftByTheNearSide) {
  Soup soup = boxSoup({1, 1, 1});
  append(soup, boxSoup({1, 1, 1}), {1, 1, 1});
  const MeshPtr bar = boxSoup({0.2, 3, 0.2}).build();
  const auto contacts = contactsOf(*bar, {Mat3{}, {0.59, 0, 0}}, *soup.buildMerged());
  ASSERT_FALSE(contacts.empty());
  for (const Contact& c : contacts) {
    EXPECT_GT(c.normal.x, 0.999);
    EXPECT_NEAR(c.depth, 0.01, 1e-5);
  }
}

TEST(TouchingShellsTest, AFloorBesideAWallHoldsFromAbove) {
  const MeshPtr room = floorAndWall().buildMerged();
  EXPECT_TRUE(room->isSolid());
  const MeshPtr tray = boxSoup({3, 3, 0.02}).build();
  const auto contacts = contactsOf(*tray, {Mat3{}, {0.4, 0, 0.0099}}, *room);
  ASSERT_EQ(contacts.size(), 4U);
  for (const Contact& c : contacts) {
    EXPECT_GT(c.normal.z, 0.999);
    EXPECT_NEAR(c.depth, 1e-4, 1e-6);
  }
}

TEST(TouchingShellsTest, GluedBoxesAreOneBoxWhateverTheirDiagonals) {
  for (const double turn : {0.0, 0.5 * std::numbers::pi}) {
    Soup soup;
    for (int i = 0; i < 4; ++i) {
      Soup cell = boxSoup({1, 1, 1});
      const double sine = i % 2 == 0 ? 0 : std::sin(turn), cosine = i % 2 == 0 ? 1 : std::cos(turn);
      cell.transform({{{{cosine, -sine, 0}, {sine, cosine, 0}, {0, 0, 1}}}, {}});
      for (Vec3& v : cell.vertices) v = {std::round(2 * v.x) / 2, std::round(2 * v.y) / 2, v.z};
      append(soup, cell, {double(i % 2), double(i / 2), 0});
    }
    const MeshPtr mesh = soup.buildMerged();
    EXPECT_TRUE(mesh->isConvex());
    EXPECT_EQ(mesh->triangleCount(), 12U);
    EXPECT_DOUBLE_EQ(mesh->topology().volume, 4);
    EXPECT_EQ(soup.build()->triangleCount(), 48U) << "nothing is left out unless flat parts are merged";
  }
}

TEST(TouchingShellsTest, TwoLayersAreNoSolid) {
  Soup plate;
  appendTwoLayers(plate, {0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0});
  appendTwoLayers(plate, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0});
  EXPECT_FALSE(plate.buildMerged()->isSolid());
  EXPECT_EQ(plate.buildMerged()->triangleCount(), 2U) << "of one of them, merged";

  append(plate, boxSoup({1, 1, 1}), {5, 0, 0});
  EXPECT_FALSE(plate.buildMerged()->isSolid()) << "nor beside a box";
}

TEST(TouchingShellsTest, AFinOfTwoLayersIsKept) {
  Soup on_top = boxSoup({1, 1, 1});
  appendTwoLayers(on_top, {-0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}, {0.5, 0.5, 2}, {-0.5, 0.5, 2});
  const MeshPtr flag = on_top.buildMerged();
  EXPECT_FALSE(flag->isSolid());
  EXPECT_EQ(flag->triangleCount(), 16U);

  Soup hollow = boxSoup({1, 1, 1}, 2);
  hollow.turnInsideOut();
  for (const double x : {-0.25, 0.25})
    for (const double y : {-0.25, 0.25}) {
      const Vec3 a{x - 0.25, y - 0.25, 0}, c{x + 0.25, y + 0.25, 0};
      appendTwoLayers(hollow, a, {c.x, a.y, 0}, c, {a.x, c.y, 0});
    }
  append(hollow, boxSoup({2, 2, 2}), {});
  const MeshPtr rooms = hollow.buildMerged();
  EXPECT_FALSE(rooms->isSolid()) << "a ceiling between two rooms";
}

/// A square of 4 m, cut into cells of 1 m, from both sides.
Soup sheetOfTwoLayers() {
  Soup sheet;
  for (int x = -2; x < 2; ++x)
    for (int y = -2; y < 2; ++y) {
      const Vec3 a{double(x), double(y), 0}, c{x + 1.0, y + 1.0, 0};
      appendTwoLayers(sheet, a, {c.x, a.y, 0}, c, {a.x, c.y, 0});
    }
  return sheet;
}

// A fixed bug: of such a sheet only the cells at its rim were left, and what lay on it fell through.
TEST(TouchingShellsTest, ASheetOfTwoLayersHoldsInItsMiddle) {
  const MeshPtr sheet = sheetOfTwoLayers().buildMerged();
  EXPECT_FALSE(sheet->isSolid());
  EXPECT_DOUBLE_EQ(sheet->topology().area, 16);
  const MeshPtr box = boxSoup({0.5, 0.5, 0.5}).build();
  for (const double side : {1.0, -1.0}) {
    const auto contacts = contactsOf(*box, {Mat3{}, {0.1, -0.2, side * 0.249}}, *sheet);
    ASSERT_EQ(contacts.size(), 4U) << side;
    for (const Contact& c : contacts) {
      EXPECT_GT(c.normal.z * side, 0.999);
      EXPECT_NEAR(c.depth, 0.001, 1e-6);
    }
  }
}

// A fixed bug: each edge of a tip crosses both layers, so that all of it counted as behind the sheet, and as
// held there: it fell through.
TEST(TouchingShellsTest, ASheetOfTwoLayersHoldsATipWithinOneOfItsFaces) {
  Soup square;
  appendTwoLayers(square, {-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0});
  const MeshPtr tip =
      tetrahedronSoup({0.3, 0, 0.5}, {-0.2, 0.25, 0.5}, {-0.2, -0.25, 0.5}, {0, 0, -0.5}).build();
  ASSERT_TRUE(tip->isSolid());
  for (const Soup& soup : {square, sheetOfTwoLayers()})
    for (const MeshPtr& sheet : {soup.build(), soup.buildMerged()})
      for (const double side : {1.0, -1.0})
        for (const double sunk : {1e-3, 1e-2, 0.1}) {
          const Mat3 upright{{{1, 0, 0}, {0, side, 0}, {0, 0, side}}};
          const auto contacts = contactsOf(*tip, {upright, {0.3, 0.45, side * (0.5 - sunk)}}, *sheet);
          ASSERT_EQ(contacts.size(), 1U) << side << ' ' << sunk;
          EXPECT_GT(contacts[0].normal.z * side, 0.999);
          EXPECT_NEAR(contacts[0].depth, sunk, 1e-3 * sunk);
        }
}

TEST(TouchingShellsTest, ABallOfTwoLayersStaysWhole) {
  Soup ball = sphereSoup(1, 16, 8), inside = ball;
  inside.turnInsideOut();
  ball.add(inside);
  const MeshPtr mesh = ball.buildMerged();
  ASSERT_NE(mesh, nullptr);
  EXPECT_EQ(mesh->triangleCount(), 2 * sphereSoup(1, 16, 8).indices.size() / 3);
  const MeshPtr box = boxSoup({0.5, 0.5, 0.5}).build();
  for (const Contact& c : contactsOf(*box, {Mat3{}, {0, 0, 1.24}}, *mesh)) EXPECT_GT(c.normal.z, 0.9);
}

// A fixed bug: the rounding of its coordinates told whether it was a solid, and on which side it held.
TEST(TouchingShellsTest, AFlatClosedSurfaceIsASheetInEveryPose) {
  Soup flat;
  appendTwoLayers(flat, {-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0});
  const MeshPtr box = boxSoup({0.5, 0.5, 0.5}).build();
  std::mt19937_64 random(7);
  for (int i = 0; i < 100; ++i) {
    const Pose pose = randomPose(random, 1);
    Soup turned = flat;
    turned.transform(pose);
    for (Vec3& v : turned.vertices) v = {double(float(v.x)), double(float(v.y)), double(float(v.z))};
    const MeshPtr sheet = turned.build();
    ASSERT_FALSE(sheet->isSolid()) << i;
    EXPECT_EQ(sheet->topology().volume, 0) << i;
    for (const double side : {1.0, -1.0}) {
      const Pose above = pose * Pose{{}, {0, 0, side * 0.249}};
      const auto contacts = contactsOf(*box, above, *sheet);
      ASSERT_FALSE(contacts.empty()) << i;
      for (const Contact& c : contacts) EXPECT_GT(dot(c.normal, pose.rotate({0, 0, side})), 0.999) << i;
    }
  }
}

// A fixed bug, these two: such surfaces were sheets.
TEST(TouchingShellsTest, SolidsTouchThemselvesAlongAnEdge) {
  Soup soup;  // two storeys around two cells that touch along an edge
  for (int x = 0; x < 2; ++x)
    for (int y = 0; y < 2; ++y)
      for (int z = 0; z < 3; ++z)
        if (z != 1 || x == y) append(soup, boxSoup({1, 1, 1}), {double(x), double(y), double(z)});
  const MeshPtr mesh = soup.buildMerged();
  EXPECT_EQ(mesh->topology().non_manifold_edges, 0U);
  EXPECT_EQ(mesh->topology().components, 1U);
  EXPECT_TRUE(mesh->isSolid());
  EXPECT_DOUBLE_EQ(mesh->topology().volume, 10);
}

TEST(TouchingShellsTest, AnyVoxelsAreSolid) {
  std::mt19937_64 random(3);
  constexpr std::size_t kCells = 6;
  for (const double share : {0.2, 0.5, 0.8}) {
    std::vector<bool> is_filled(kCells * kCells * kCells);
    for (std::size_t i = 0; i < is_filled.size(); ++i)
      is_filled[i] = std::uniform_real_distribution<double>(0, 1)(random) < share;
    const std::vector<double> planes{0, 1, 2, 3, 4, 5, 6};
    const Soup soup = cellSoup({planes, planes, planes}, [&](std::size_t x, std::size_t y, std::size_t z) {
      return is_filled[(z * kCells + y) * kCells + x];
    });
    const auto count = double(std::ranges::count(is_filled, true));
    for (const MeshPtr& mesh : {soup.build(), soup.buildMerged()}) {
      EXPECT_TRUE(mesh->isSolid()) << share;
      EXPECT_NEAR(mesh->topology().volume, count, 1e-9 * count);
      const PointInSolid solid(PlacedMesh(*mesh, {}));
      for (int i = 0; i < 200; ++i) {
        const std::size_t at = random() % is_filled.size();
        const auto along = [&](std::size_t cells) { return double(cells % kCells) + 0.6; };
        EXPECT_EQ(solid.contains({along(at), along(at / kCells), along(at / kCells / kCells)}),
                  is_filled[at]);
      }
      for (std::size_t t = 0; t < mesh->triangleCount(); ++t) {
        const Vec3 middle = (mesh->vertex(t, 0) + mesh->vertex(t, 1) + mesh->vertex(t, 2)) / 3;
        const Vec3& corner = soup.vertices[soup.indices[3 * mesh->inputTriangleAt(t, middle)]];
        EXPECT_NEAR(dot(mesh->normal(t), middle - corner), 0, 1e-12);
      }
    }
  }
}

TEST(TouchingShellsTest, WhereShellsOverlapIsInside) {
  Soup soup = boxSoup({2, 2, 2});
  append(soup, boxSoup({2, 2, 2}), {1, 0.25, 0.125});
  const MeshPtr boxes = soup.build();
  const PointInSolid solid(PlacedMesh(*boxes, {}));
  EXPECT_TRUE(solid.contains({0.5, 0.1, 0.2}));
  EXPECT_TRUE(solid.contains({-0.5, 0.1, 0.2}));
  EXPECT_FALSE(solid.contains({-0.5, 1.1, 0.2}));
  const MeshPtr pebble = boxSoup({0.1, 0.1, 0.1}).build();
  EXPECT_FALSE(contactsOf(*pebble, {Mat3{}, {0.5, 0.1, 0.7}}, *boxes).empty());
}

TEST(TouchingShellsTest, WhatLiesInAFloorBesideAWallIsPushedUp) {
  const MeshPtr room = floorAndWall().buildMerged();
  const MeshPtr plate = boxSoup({2, 2, 0.02}).build();
  const auto contacts = contactsOf(*plate, {Mat3{}, {0.5, 0, -0.015}}, *room);
  ASSERT_GE(contacts.size(), 4U);
  for (const Contact& c : contacts) {
    EXPECT_GT(c.normal.z, 0.999);
    EXPECT_NEAR(c.depth, 0.025, 1e-5);
  }
}

/// Is some normal of `one` more than 20 degrees from all of `other`, or `other` less than half as deep?
bool lacks(const std::vector<Contact>& other, const std::vector<Contact>& one) {
  for (const Contact& c : one)
    if (std::ranges::none_of(other, [&](const Contact& o) { return dot(o.normal, c.normal) > 0.94; }))
      return true;
  return !one.empty() && other.front().depth < 0.5 * one.front().depth - 1e-4;
}

// A way out of a piece may lead into another.
TEST(TouchingShellsTest, InACornerOverlappingBoxesHoldAsOneSurfaceDoes) {
  Soup cells, boxes;
  append(cells, boxSoup({3, 4, 1}), {-0.5, 0, -0.5});
  append(cells, boxSoup({1, 4, 1}), {1.5, 0, -0.5});
  append(cells, boxSoup({1, 4, 2}), {1.5, 0, 1});
  append(boxes, boxSoup({4, 4, 1}), {0, 0, -0.5});
  append(boxes, boxSoup({1, 4, 2.5}), {1.5, 0, 0.75});
  const MeshPtr corner = cells.buildMerged(), united = boxes.buildMerged();
  ASSERT_EQ(corner->topology().components, 1U);
  ASSERT_EQ(united->topology().components, 2U);

  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  int worse = 0;
  for (const Vec3 size : {Vec3{0.4, 0.3, 0.2}, Vec3{0.05, 0.05, 0.8}}) {
    const MeshPtr body = boxSoup(size).build();
    for (int i = 0; i < 200; ++i) {
      Pose pose{randomRotation(random), {}};
      Vec3 reach;
      for (const Vec3& v : body->vertices()) {
        const Vec3 p = pose.apply(v);
        reach = {std::max(reach.x, p.x), 0, std::max(reach.z, -p.z)};
      }
      pose.translation = {1 - reach.x + 0.03 * uniform(random), 0.3 * uniform(random),
                          reach.z - 0.03 * uniform(random)};
      worse += lacks(contactsOf(*body, pose, *united), contactsOf(*body, pose, *corner)) ? 1 : 0;
    }
  }
  EXPECT_LE(worse, 12) << "of 400 poses";
}

}  // namespace
}  // namespace odemesh::test
