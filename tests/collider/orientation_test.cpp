// Surfaces whose winding changes from one triangle to the next, and those that no winding can help.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <odemesh/collide.hpp>

#include "test_meshes.hpp"

namespace odemesh::test {
namespace {

/// Turns over each triangle with probability `share`; returns how many it were.
std::size_t turnSome(Soup& soup, double share, std::mt19937_64& random) {
  std::bernoulli_distribution turns(share);
  std::size_t count = 0;
  for (std::size_t i = 0; i < soup.indices.size(); i += 3) {
    if (!turns(random)) continue;
    std::swap(soup.indices[i], soup.indices[i + 1]);
    ++count;
  }
  return count;
}

TEST(OrientationTest, TurnedTrianglesOfASolidAreTurnedBack) {
  std::mt19937_64 random(1);
  for (const double share : {0.02, 0.2, 0.5}) {
    Soup soup = boxSoup({1, 2, 3}, 6);
    const std::size_t turned = turnSome(soup, share, random);
    const MeshPtr mesh = soup.build();
    EXPECT_TRUE(mesh->isSolid());
    EXPECT_NEAR(mesh->topology().volume, 6, 1e-12);
    EXPECT_EQ(mesh->topology().turned_triangles, turned);
    EXPECT_GT(mesh->topology().flipped_edges, 0U);
    for (std::size_t t = 0; t < mesh->triangleCount(); ++t)
      EXPECT_GT(dot(mesh->normal(t), mesh->vertex(t, 0)), 0) << t;
  }
}

TEST(OrientationTest, AClearMajorityHasItsWay) {
  std::mt19937_64 random(2);
  Soup room = boxSoup({2, 2, 2}, 6);
  turnSome(room, 0.9, random);
  EXPECT_NEAR(room.build()->topology().volume, -8, 1e-12);
}

TEST(OrientationTest, WhatIsWoundInOneSenseStays) {
  Soup room = boxSoup({2, 2, 2}, 2);
  room.turnInsideOut();
  const MeshPtr mesh = room.build();
  EXPECT_EQ(mesh->topology().turned_triangles, 0U);
  EXPECT_NEAR(mesh->topology().volume, -8, 1e-12);
}

TEST(OrientationTest, PiecesAreTurnedOneByOne) {
  Soup two = boxSoup({1, 1, 1});
  std::swap(two.indices[0], two.indices[1]);
  Soup inside_out = boxSoup({1, 1, 1});
  inside_out.transform({Mat3{}, {3, 0, 0}});
  for (std::size_t i = 0; i < inside_out.indices.size(); i += 3)
    two.addTriangle(inside_out.vertices[inside_out.indices[i + 1]],
                    inside_out.vertices[inside_out.indices[i]],
                    inside_out.vertices[inside_out.indices[i + 2]]);
  const MeshPtr mesh = two.build();
  EXPECT_EQ(mesh->topology().turned_triangles, 1U);
  EXPECT_NEAR(mesh->topology().volume, 0, 1e-12);
}

[[nodiscard]] Soup moebiusStripSoup() {
  Soup strip;
  constexpr int kSteps = 24;
  const auto at = [](int i, double across) {
    const double turn = 2 * std::numbers::pi * i / kSteps, half = 0.5 * turn;
    const double r = 2 + across * std::cos(half);
    return Vec3{r * std::cos(turn), r * std::sin(turn), across * std::sin(half)};
  };
  for (int i = 0; i < kSteps; ++i) {
    const bool last = i == kSteps - 1;  // its end is the beginning, upside down
    const Vec3 a = at(i, -0.5), b = at(i, 0.5);
    const Vec3 c = last ? at(0, -0.5) : at(i + 1, 0.5), d = last ? at(0, 0.5) : at(i + 1, -0.5);
    strip.addTriangle(a, b, c);
    strip.addTriangle(a, c, d);
  }
  return strip;
}

TEST(OrientationTest, AMoebiusStripStaysAsItIs) {
  const MeshPtr mesh = moebiusStripSoup().build();
  EXPECT_TRUE(mesh->topology().is_one_sided);
  EXPECT_EQ(mesh->topology().turned_triangles, 0U);
}

// A fixed bug: where flat parts were merged or triangles dropped, nothing was known of it any more.
TEST(OrientationTest, WhatWasFoundStaysKnownWhereTrianglesGo) {
  std::mt19937_64 random(3);
  Soup box = boxSoup({1, 2, 3}, 6);
  turnSome(box, 0.1, random);
  for (const bool has_double : {false, true}) {
    if (has_double) box.addTriangle(box.vertices[0], box.vertices[1], box.vertices[2]);
    const MeshPtr given = box.build(), merged = box.buildMerged();
    ASSERT_EQ(merged->triangleCount(), 12U);
    EXPECT_GT(merged->topology().turned_triangles, 0U);
    EXPECT_EQ(merged->topology().turned_triangles, given->topology().turned_triangles);
    EXPECT_EQ(merged->topology().flipped_edges, given->topology().flipped_edges);
  }
  Soup beside = moebiusStripSoup(), plate = boxSoup({1, 1, 1}, 4);
  plate.transform({Mat3{}, {9, 0, 0}});
  beside.add(plate);
  EXPECT_TRUE(beside.buildMerged()->topology().is_one_sided);
}

/// A figure of eight that turns over by half a turn on its way around z.
[[nodiscard]] Soup kleinBottleSoup() {
  Soup out;
  constexpr int kSteps = 32, kAround = 24;
  const auto at = [](int i, int j) {
    if (i == kSteps) j = kAround - j;
    const double u = 2 * std::numbers::pi * (i % kSteps) / kSteps, half = 0.5 * u;
    const double v = 2 * std::numbers::pi * (j % kAround) / kAround;
    const double r = 1 + 0.4 * (std::cos(half) * std::sin(v) - std::sin(half) * std::sin(2 * v));
    const double z = 0.4 * (std::sin(half) * std::sin(v) + std::cos(half) * std::sin(2 * v));
    return Vec3{r * std::cos(u), r * std::sin(u), z};
  };
  for (int i = 0; i < kSteps; ++i)
    for (int j = 0; j < kAround; ++j) {
      out.addTriangle(at(i, j), at(i + 1, j), at(i + 1, j + 1));
      out.addTriangle(at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
  return out;
}

TEST(OrientationTest, AClosedSurfaceWithoutTwoSidesIsCut) {
  const MeshPtr given = kleinBottleSoup().build(), cut = kleinBottleSoup().buildMerged();
  ASSERT_TRUE(given->topology().is_one_sided);
  ASSERT_EQ(given->topology().border_edges, 0U);
  EXPECT_FALSE(cut->topology().is_one_sided);
  EXPECT_GT(cut->topology().border_edges, 0U);
  EXPECT_EQ(cut->topology().flipped_edges, given->topology().flipped_edges);
  EXPECT_EQ(cut->triangleCount(), given->triangleCount());
  EXPECT_EQ(cut->topology().components, 1U);
  EXPECT_DOUBLE_EQ(cut->topology().area, given->topology().area);
}

// A fixed bug: each face held the floor on the side of that one's centre, and the bottle was thrown.
TEST(OrientationTest, AKleinBottleLiesOnAFloor) {
  const MeshPtr bottle = kleinBottleSoup().buildMerged(), floor = boxSoup({40, 40, 1}).buildMerged();
  std::mt19937_64 random(1);
  for (int i = 0; i < 100; ++i) {
    Pose pose = randomPose(random, 1);
    double lowest = 10;
    for (const Vec3& v : bottle->vertices()) lowest = std::min(lowest, pose.apply(v).z);
    pose.translation.z -= lowest + 0.01;
    std::vector<Contact> contacts(64);
    contacts.resize(collide(*bottle, pose, *floor, {Mat3{}, {7, 3, -0.5}}, contacts));
    ASSERT_FALSE(contacts.empty()) << i;
    for (const Contact& c : contacts) {
      EXPECT_GT(c.normal.z, 0.99) << i;
      EXPECT_LT(c.depth, 0.0101) << i;
    }
  }
}

/// The lower half of a ball with a hollow: open at the top, and a solid.
[[nodiscard]] Soup bowlSoup(double inner, double outer, int segments, int rings) {
  Soup out;
  const auto at = [&](double radius, int i, int j) {
    if (j == 0) return Vec3{0, 0, -radius};
    const double u = 2 * std::numbers::pi * (i % segments) / segments, v = 0.5 * std::numbers::pi * j / rings;
    return Vec3{radius * std::sin(v) * std::cos(u), radius * std::sin(v) * std::sin(u),
                -radius * std::cos(v)};
  };
  const auto quad = [&](const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    if (!(a == b)) out.addTriangle(a, b, c);
    out.addTriangle(a, c, d);
  };
  for (int i = 0; i < segments; ++i) {
    for (int j = 0; j < rings; ++j) {
      quad(at(outer, i, j), at(outer, i + 1, j), at(outer, i + 1, j + 1), at(outer, i, j + 1));
      if (j > 0) out.addTriangle(at(inner, i + 1, j), at(inner, i, j), at(inner, i, j + 1));
      out.addTriangle(at(inner, i + 1, j), at(inner, i, j + 1), at(inner, i + 1, j + 1));
    }
    quad(at(outer, i, rings), at(outer, i + 1, rings), at(inner, i + 1, rings), at(inner, i, rings));
  }
  return out;
}

// The middle of a bowl lies above its floor, and in what stands there: that says nothing about sides.
TEST(OrientationTest, ADamagedShellIsHeldUpByABowl) {
  const MeshPtr bowl = bowlSoup(2, 2.2, 32, 12).build();
  ASSERT_TRUE(bowl->isSolid());
  Soup soup = sphereSoup(1.5, 24, 16);
  const std::size_t fin = soup.indices.size() / 2;  // a third triangle at an edge
  soup.addTriangle(soup.vertices[fin], soup.vertices[fin + 1], {0, 0, 0});
  soup.indices.erase(soup.indices.begin() + 30, soup.indices.begin() + 33);  // and a hole
  const MeshPtr shell = soup.build();
  ASSERT_GT(shell->topology().non_manifold_edges, 0U);
  ASSERT_GT(shell->topology().border_edges, 0U);
  std::vector<Contact> contacts(16);
  contacts.resize(collide(*shell, {Mat3{}, {0, 0, -0.51}}, *bowl, {}, contacts));
  ASSERT_FALSE(contacts.empty());
  for (const Contact& c : contacts) {
    EXPECT_GT(c.normal.z, 0.9);
    EXPECT_LT(c.depth, 0.03);
  }
}

}  // namespace
}  // namespace odemesh::test
