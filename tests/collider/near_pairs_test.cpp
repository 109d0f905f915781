// Coherence: of a pair in slow motion, the triangles that are near each other are known from the steps
// before. Contacts are the same bit for bit.
#include "contact/region/near_pairs.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "collide_pair.hpp"
#include "contact/pair_order.hpp"
#include "test_meshes.hpp"

namespace odemesh {
namespace {

using test::boxSoup;
using test::MeshPtr;
using test::randomPose;
using test::randomRotation;
using test::randomSoup;
using test::Soup;
using test::sphereSoup;

[[nodiscard]] bool areSame(const Contact& a, const Contact& b) {
  return a.position == b.position && a.normal == b.normal && a.depth == b.depth &&
         a.triangle1 == b.triangle1 && a.triangle2 == b.triangle2;
}

/// What steps of a pair have come to.
struct Walk {
  int steps = 0, colliding = 0, different = 0;
  int known = 0;                         ///< of the colliding ones, those for which no tree was walked
  std::size_t tested = 0, crossing = 0;  ///< pairs of triangles in those
};

/// Two meshes that move about each other, one step after the other.
class Walker {
 public:
  Walker(MeshPtr mesh1, MeshPtr mesh2, std::uint64_t seed)
      : mesh1_(std::move(mesh1)), mesh2_(std::move(mesh2)), random_(seed) {}

  /// Near each other somewhere, `far` from the origin.
  void jump(double far) {
    const double reach = mesh1_->sphereRadius() + mesh2_->sphereRadius();
    pose1_ = randomPose(random_, far);
    pose2_ = {randomRotation(random_),
              pose1_.apply(mesh1_->sphereCentre()) + direction() * (reach * uniform(0.6, 0.95))};
    pose2_.translation -= pose2_.rotate(mesh2_->sphereCentre());
  }

  /// Moves mesh 2 by `length`, and turns it so far that its points move by about as much.
  void move(double length) {
    const Vec3 about = direction() * (length / mesh2_->sphereRadius());
    Mat3 turn{{{1, -about.z, about.y}, {about.z, 1, -about.x}, {-about.y, about.x, 1}}};
    for (Vec3& row : turn.row) row = normalised(row);  // a rotation but for the square of a small angle
    pose2_.rotation = turn * pose2_.rotation;
    pose2_.translation += direction() * length;
  }

  void ask(NearPairs& near, double margin, Walk& walk) {
    std::array<Contact, 64> expected, contacts;
    QueryStats stats;
    const std::size_t count = collide(*mesh1_, pose1_, *mesh2_, pose2_, expected, nullptr, margin);
    const std::size_t found = collidePair(*mesh1_, pose1_, *mesh2_, pose2_, contacts, stats, margin, &near);
    const bool is_same =
        count == found && std::equal(contacts.begin(), contacts.begin() + found, expected.begin(), areSame);
    ++walk.steps;
    walk.colliding += count > 0;
    walk.different += !is_same;
    if (count == 0 || stats.box_tests > 0) return;
    ++walk.known;
    walk.tested += stats.triangle_tests;
    walk.crossing += stats.intersecting_pairs;
  }

  [[nodiscard]] double uniform(double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(random_);
  }

 private:
  [[nodiscard]] Vec3 direction() { return randomRotation(random_).row[0]; }

  MeshPtr mesh1_, mesh2_;
  std::mt19937_64 random_;
  Pose pose1_, pose2_;
};

[[nodiscard]] std::vector<std::array<Soup, 2>> soupPairs() {
  std::mt19937_64 random(11);
  Soup far = sphereSoup(1, 20, 12);
  far.transform({{}, {300, -200, 100}});
  return {
      {sphereSoup(1, 24, 16), sphereSoup(0.5, 20, 12)},  {boxSoup({1, 1, 1}), boxSoup({2, 1, 0.5}, 4)},
      {boxSoup({20, 20, 1}, 3), sphereSoup(1, 24, 16)},  {sphereSoup(0.2, 12, 8), boxSoup({20, 20, 1}, 3)},
      {randomSoup(random, 200), randomSoup(random, 60)}, {far, sphereSoup(0.7, 16, 10)}};
}

TEST(NearPairs, GiveTheSameContactsAsAFreshSearch) {
  Walk walk;
  for (const double scale : {1e-3, 1.0, 1e4})
    for (std::array<Soup, 2> soups : soupPairs()) {
      for (Soup& soup : soups) soup.transform({}, scale);
      Walker walker(soups[0].build(), soups[1].build(), 5);
      NearPairs near;
      for (int path = 0; path < 12; ++path) {
        walker.jump((path % 3 == 0 ? 0 : 100) * scale);
        const double step = std::pow(10, walker.uniform(-7, -2.5)) * scale;
        for (int i = 0; i < 25; ++i) {
          walker.ask(near, 0, walk);
          walker.move(i % 10 == 9 ? 20 * step : step);
        }
      }
    }
  EXPECT_EQ(walk.different, 0);
  EXPECT_GT(walk.colliding, walk.steps / 3);
  EXPECT_GT(walk.known, walk.colliding / 2);
}

TEST(NearPairs, GiveTheSameContactsWithAMargin) {
  Walker walker(sphereSoup(1, 24, 16).build(), sphereSoup(0.5, 20, 12).build(), 3);
  NearPairs near;
  Walk walk;
  for (int path = 0; path < 40; ++path) {
    walker.jump(0);
    for (int i = 0; i < 10; ++i) {
      walker.ask(near, 0.02, walk);
      walker.move(1e-3);
    }
  }
  EXPECT_EQ(walk.different, 0);
  EXPECT_GT(walk.known, walk.colliding / 2);
}

/// A hundred steps of such a length from one place.
[[nodiscard]] Walk walkSteadily(double length) {
  Walker walker(sphereSoup(1, 24, 16).build(), sphereSoup(0.5, 20, 12).build(), 3);
  NearPairs near;
  Walk walk;
  walker.jump(0);
  for (int i = 0; i < 100; ++i) {
    walker.ask(near, 0, walk);
    walker.move(length);
  }
  return walk;
}

/// A pair that does not move is searched once to know that, and once more to keep what is near.
TEST(NearPairs, AreNotSearchedForAtRest) {
  EXPECT_EQ(walkSteadily(0).known, 98);
}

/// Few steps look at pairs of triangles that are near each other but do not cross.
TEST(NearPairs, AreKnownNotToCrossInSlowMotion) {
  const Walk walk = walkSteadily(1e-7);
  EXPECT_GT(walk.crossing, 0U);
  EXPECT_LT(double(walk.tested), 1.05 * double(walk.crossing));
}

/// An L: a plate of 2 x 1 with an upright of 2 at its left end.
[[nodiscard]] Soup cornerSoup() {
  Soup soup = boxSoup({2, 1, 0.2}), upright = boxSoup({0.2, 1, 2});
  upright.transform({{}, {-1, 0, 1}});
  soup.add(upright);
  return soup;
}

// A cube that falls into the corner of an L: the bounds overlap and the surfaces are apart by much, so that
// one search does for several steps.
TEST(NearPairs, KnowThatWhatComesNearAtSpeedIsApart) {
  const MeshPtr corner = cornerSoup().build(), cube = boxSoup({0.5, 0.5, 0.5}).build();
  NearPairs near;
  int known = 0;
  constexpr int kSteps = 120;
  for (int i = 0; i < kSteps; ++i) {
    const Pose falling{{}, {0.1, 0, 0.85 - 0.005 * i}};
    std::array<Contact, 8> contacts;
    const std::size_t expected = collide(*corner, {}, *cube, falling, contacts);
    if (near.areApart(MeshPair(*corner, {}, *cube, falling))) {
      ASSERT_EQ(expected, 0U) << i;
      ++known;
    } else {
      QueryStats stats;
      ASSERT_EQ(collidePair(*corner, {}, *cube, falling, contacts, stats, 0, &near), expected) << i;
    }
  }
  EXPECT_GT(known, kSteps / 2);
}

// What falls together with the L: a few searches tell for all steps that they do not meet if one is stopped,
// and none tells so of as much as lies between them.
TEST(NearPairs, KnowHowFarThingsMayMoveOnToStayApart) {
  const MeshPtr corner = cornerSoup().build(), cube = boxSoup({0.5, 0.5, 0.5}).build();
  constexpr double kGap = 0.08;
  const Pose above{{}, {0.1, 0, 0.35 + kGap}};
  const MeshPair pair(*corner, {}, *cube, above);
  NearPairs near;
  int known = 0;
  constexpr int kSteps = 40;
  for (int i = 0; i < kSteps; ++i) {
    std::array<Contact, 8> contacts;
    QueryStats stats;
    EXPECT_EQ(collidePair(*corner, {}, *cube, above, contacts, stats, 0, &near), 0U);
    if (near.stayApart(pair, 0.3 * kGap)) ++known;
  }
  EXPECT_GT(known, kSteps - 10);
  EXPECT_FALSE(near.stayApart(pair, 1.01 * kGap));
}

TEST(NearPairs, AreNotKeptOfWhatMovesFast) {
  const Walk walk = walkSteadily(0.01);
  EXPECT_EQ(walk.known, 0);
  EXPECT_EQ(walk.different, 0);
}

/// Two meshes with more triangles near each other than are kept.
TEST(NearPairs, AreGivenUpWhereThereAreTooMany) {
  Walker walker(sphereSoup(1, 120, 80).build(), sphereSoup(0.999, 120, 80).build(), 3);
  NearPairs near;
  Walk walk;
  walker.jump(0);
  walker.move(-0.9);
  for (int i = 0; i < 10; ++i) {
    walker.ask(near, 0, walk);
    walker.move(1e-4);
  }
  EXPECT_EQ(walk.different, 0);
}

/// The same shape with other numbers for its triangles: a quarter turn about z.
[[nodiscard]] Soup turnedRound(Soup soup) {
  for (Vec3& v : soup.vertices) v = {-v.y, v.x, v.z};
  return soup;
}

// Meshes of one size are worked on in an order that their poses tell.
TEST(NearPairs, AreThoseOfOneOrderOfTheMeshes) {
  const Soup soup = boxSoup({1, 1, 0.8}, 4);
  const MeshPtr mesh1 = soup.build(), mesh2 = turnedRound(soup).build();
  NearPairs near;
  int colliding = 0, reversed = 0;
  for (int i = 0; i < 60; ++i) {
    const double x = i % 3 < 2 ? 1e-4 : -1e-4;
    const Pose pose2{{{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}, {x, 0.1, 0.79 - 1e-5 * i}};
    std::array<Contact, 64> expected, contacts;
    QueryStats stats;
    const std::size_t count = collide(*mesh1, {}, *mesh2, pose2, expected);
    ASSERT_EQ(collidePair(*mesh1, {}, *mesh2, pose2, contacts, stats, 0, &near), count) << i;
    ASSERT_TRUE(std::equal(contacts.begin(), contacts.begin() + count, expected.begin(), areSame)) << i;
    colliding += count > 0;
    reversed += areInReverse(*mesh1, {}, *mesh2, pose2);
  }
  EXPECT_EQ(colliding, 60);
  EXPECT_EQ(reversed, 20);
}

}  // namespace
}  // namespace odemesh
