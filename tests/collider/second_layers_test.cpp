// Sheets that are given from both sides: they are what they would be if given once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <odemesh/collide.hpp>
#include <random>

#include "test_contacts.hpp"
#include "test_meshes.hpp"

namespace odemesh::test {
namespace {

/// With both windings, in any order.
Soup fromBothSides(const Soup& once, std::mt19937_64& random) {
  Soup back = once, all = once, out;
  back.turnInsideOut();
  all.add(back);
  std::vector<std::size_t> order(all.indices.size() / 3);
  for (std::size_t t = 0; t < order.size(); ++t) order[t] = t;
  std::ranges::shuffle(order, random);
  for (const std::size_t t : order)
    out.addTriangle(all.vertices[all.indices[3 * t]], all.vertices[all.indices[3 * t + 1]],
                    all.vertices[all.indices[3 * t + 2]]);
  return out;
}

/// A strip along y, of cells as long as it is wide.
Soup stripSoup(double width, int cells) {
  Soup out;
  for (int i = 0; i < cells; ++i) {
    const double x = 0.5 * width, y = width * (i - 0.5 * cells);
    out.addTriangle({-x, y, 0}, {x, y, 0}, {x, y + width, 0});
    out.addTriangle({-x, y, 0}, {x, y + width, 0}, {-x, y + width, 0});
  }
  return out;
}

/// The same from both sides, as a box without height: the diagonals below run across those above.
Soup flatBoxSoup(double width, int cells) {
  Soup out = stripSoup(width, cells);
  for (int i = 0; i < cells; ++i) {
    const double x = 0.5 * width, y = width * (i - 0.5 * cells);
    out.addTriangle({-x, y, 0}, {-x, y + width, 0}, {x, y, 0});
    out.addTriangle({x, y, 0}, {-x, y + width, 0}, {x, y + width, 0});
  }
  return out;
}

Soup waveSoup() {
  Soup out;
  const auto at = [](int i, int j) {
    const double x = 0.4 * i - 1, y = 0.4 * j - 1;
    return Vec3{x, y, 0.3 * std::sin(3 * x) * std::cos(2 * y)};
  };
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) {
      out.addTriangle(at(i, j), at(i + 1, j), at(i + 1, j + 1));
      out.addTriangle(at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
  return out;
}

/// A ring around the y axis.
Soup ringSoup() {
  std::vector<std::array<double, 2>> outline;
  for (int i = 0; i < 8; ++i) {
    const double angle = 2 * std::numbers::pi * (i + 0.5) / 8;
    outline.push_back({0.5 + 0.1 * std::cos(angle), 0.1 * std::sin(angle)});
  }
  Soup out = revolvedSoup(outline, 24);
  out.transform({Mat3{{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}}, {}});
  return out;
}

std::vector<Contact> contactsOf(const Mesh& body, const Pose& pose, const Mesh& sheet) {
  std::vector<Contact> contacts(64);
  contacts.resize(collide(body, pose, sheet, {}, contacts));
  return contacts;
}

TEST(SecondLayersTest, AreDroppedWhereThePieceHasARim) {
  std::mt19937_64 random(1);
  for (const Soup& once :
       {stripSoup(0.3, 1), stripSoup(0.3, 5), waveSoup(), crateSoup({1, 1, 1}), angleSoup()}) {
    const MeshPtr one = once.buildMerged(), two = fromBothSides(once, random).buildMerged();
    EXPECT_EQ(two->triangleCount(), one->triangleCount());
    EXPECT_EQ(two->topology().border_edges, one->topology().border_edges);
    EXPECT_EQ(two->topology().non_manifold_edges, 0U);
    EXPECT_EQ(two->topology().flipped_edges, 0U);
    EXPECT_NEAR(two->topology().area, one->topology().area, 1e-12);
  }
  Soup triangle;
  triangle.addTriangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  EXPECT_EQ(fromBothSides(triangle, random).buildMerged()->triangleCount(), 1U);
  const Soup ball = sphereSoup(1, 16, 8);
  EXPECT_EQ(fromBothSides(ball, random).buildMerged()->triangleCount(), 2 * ball.indices.size() / 3)
      << "it has none";
}

TEST(SecondLayersTest, OfAClosedSurfaceInOnePlaneAreThoseThatLookTheOtherWay) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20; ++i) {
    Soup box = flatBoxSoup(0.3, 4);
    box.transform(randomPose(random, 1));
    for (Vec3& v : box.vertices) v = {double(float(v.x)), double(float(v.y)), double(float(v.z))};
    const MeshPtr sheet = box.buildMerged();
    EXPECT_EQ(sheet->topology().non_manifold_edges, 0U);
    EXPECT_GT(sheet->topology().border_edges, 0U);
    EXPECT_NEAR(sheet->topology().area, 4 * 0.3 * 0.3, 1e-6);
  }
  EXPECT_TRUE(boxSoup({1, 1, 1e-5}).buildMerged()->isSolid()) << "it is thin, but not flat";
}

TEST(SecondLayersTest, APieceBesideItDoesNotMatter) {
  std::mt19937_64 random(3);
  Soup soup = fromBothSides(stripSoup(0.3, 5), random), box = boxSoup({1, 1, 1}), fin = boxSoup({1, 1, 1});
  box.transform({Mat3{}, {5, 0, 0}});
  soup.add(box);
  EXPECT_EQ(soup.buildMerged()->triangleCount(), 2U + 12U);
  for (const double side : {1.0, -1.0})  // of one triangle, given with both windings
    fin.addTriangle({-0.5, 0.5 * side, 0.5}, {-0.5, -0.5 * side, 0.5}, {-0.5, 0, 2});
  EXPECT_EQ(fin.buildMerged()->triangleCount(), 14U) << "a part of a piece is kept";
}

TEST(SecondLayersTest, LeaveTheContactsOfTheSheetGivenOnce) {
  std::mt19937_64 random(4);
  const MeshPtr ring = ringSoup().buildMerged(), box = boxSoup({0.5, 0.5, 0.5}).buildMerged();
  for (const Soup& once : {stripSoup(0.3, 5), waveSoup(), crateSoup({1, 1, 1})}) {
    Soup both = once, back = once;
    back.turnInsideOut();
    both.add(back);
    const MeshPtr one = once.buildMerged(), two = both.buildMerged();
    int touching = 0;
    for (int i = 0; i < 100; ++i) {
      const MeshPtr& body = i % 2 == 0 ? ring : box;
      const Pose pose = randomPose(random, 1.5);
      const auto expected = contactsOf(*body, pose, *one), contacts = contactsOf(*body, pose, *two);
      ASSERT_EQ(contacts.size(), expected.size()) << i;
      touching += contacts.empty() ? 0 : 1;
      EXPECT_NEAR(deepestOf(contacts), deepestOf(expected), 1e-6) << i;
    }
    EXPECT_GT(touching, 20);
  }
}

TEST(SecondLayersTest, ContactsNameTheTriangleThatTheyAreOn) {
  std::mt19937_64 random(6);
  const Soup soup = fromBothSides(stripSoup(1, 5), random);
  const MeshPtr sheet = soup.buildMerged(), box = boxSoup({0.3, 0.2, 0.3}).buildMerged();
  for (const double side : {1.0, -1.0})
    for (const double y : {-1.9, -0.8, 0.3, 1.7}) {
      const auto contacts = contactsOf(*box, {Mat3{}, {0.2, y, 0.149 * side}}, *sheet);
      ASSERT_EQ(contacts.size(), 4U);
      for (const Contact& c : contacts) {
        const auto at = [&](std::size_t k) {
          return soup.vertices[soup.indices[std::size_t{3} * c.triangle2 + k]];
        };
        const double turn = cross(at(1) - at(0), at(2) - at(0)).z;
        for (std::size_t k = 0; k < 3; ++k)
          EXPECT_GE(cross(at((k + 1) % 3) - at(k), c.position - at(k)).z * turn, -1e-9) << side << ' ' << y;
      }
    }
}

// A fixed bug: at the rim of a sheet from both sides no greater part of the ring was known, and that was
// pushed down through the sheet or off by its own size.
TEST(SecondLayersTest, ARingHangsOnAStripFromBothSides) {
  const MeshPtr ring = ringSoup().buildMerged();
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> unit(0, 1);
  for (const Soup& soup : {fromBothSides(stripSoup(0.2, 8), random), flatBoxSoup(0.2, 8)}) {
    const MeshPtr strip = soup.buildMerged();
    for (int i = 0; i < 100; ++i) {
      const double turn = 0.6 * unit(random) - 0.3, c = std::cos(turn), s = std::sin(turn);
      const Pose pose{{{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}},
                      {0.04 * unit(random) - 0.02, unit(random) - 0.5, -0.395 - 0.01 * unit(random)}};
      const auto contacts = contactsOf(*ring, pose, *strip);
      EXPECT_LT(deepestOf(contacts), 0.03) << i;
      EXPECT_LT(deepestAlong(contacts, {0, 0, -1}), 1e-9) << i;
    }
  }
}

}  // namespace
}  // namespace odemesh::test
