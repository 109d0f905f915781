// Contacts within a margin, against the distance of the meshes and the contacts that they have without.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <odemesh/collide.hpp>
#include <odemesh/distance.hpp>
#include <random>
#include <span>
#include <vector>

#include "collide_pair.hpp"
#include "test_meshes.hpp"

namespace odemesh {
namespace {

using test::boxSoup;
using test::MeshPtr;
using test::Soup;

/// A gear: a wheel around z with teeth.
Soup gearSoup() {
  constexpr int kCorners = 24;
  constexpr double kTurn = 2 * 3.14159265358979323846 / kCorners;
  const auto at = [&](int i, double z) {
    const double radius = i / 2 % 2 == 0 ? 1 : 0.75, angle = kTurn * (i % kCorners);
    return Vec3{radius * std::cos(angle), radius * std::sin(angle), z};
  };
  Soup out;
  for (int i = 0; i < kCorners; ++i) {
    out.addTriangle({0, 0, 0.25}, at(i, 0.25), at(i + 1, 0.25));
    out.addTriangle({0, 0, -0.25}, at(i + 1, -0.25), at(i, -0.25));
    out.addTriangle(at(i, -0.25), at(i + 1, -0.25), at(i + 1, 0.25));
    out.addTriangle(at(i, -0.25), at(i + 1, 0.25), at(i, 0.25));
  }
  return out;
}

class MarginTest : public ::testing::Test {
 protected:
  struct Pair {
    MeshPtr mesh1, mesh2;
    double size;
  };

  [[nodiscard]] static std::vector<Pair> pairsOf(double scale) {
    std::vector<MeshPtr> meshes;
    for (Soup soup : {boxSoup({1, 1, 1}), boxSoup({2, 0.1, 1}), gearSoup(), test::sphereSoup(0.5, 16, 10)}) {
      soup.transform({}, scale);
      meshes.push_back(soup.build());
    }
    std::vector<Pair> out;
    for (const MeshPtr& a : meshes)
      for (const MeshPtr& b : meshes) out.push_back({a, b, std::min(a->sphereRadius(), b->sphereRadius())});
    return out;
  }

  /// Of mesh 2, with its centre `off` from that of mesh 1.
  void place(double off) {
    pose1_ = test::randomPose(random_, off);
    pose2_ = {test::randomRotation(random_), pose1_.translation + test::randomRotation(random_).row[0] * off};
  }

  [[nodiscard]] std::vector<Contact> contacts(const Pair& pair, double margin) const {
    std::vector<Contact> out(256);
    out.resize(collide(*pair.mesh1, pose1_, *pair.mesh2, pose2_, out, nullptr, margin));
    return out;
  }
  [[nodiscard]] double distance(const Pair& pair) const {
    return meshDistance(*pair.mesh1, pose1_, *pair.mesh2, pose2_)->distance;
  }

  std::mt19937_64 random_{5};
  Pose pose1_, pose2_;
};

/// In units of the smaller mesh's radius. One is far beyond the range in which bodies can be blown up.
constexpr std::array kMargins{0.01, 0.1, 0.5, 1.0, 3.0, 10.0, 1e30};

// A fixed bug: bodies that were apart were given contacts of positive depth, or none.
TEST_F(MarginTest, BodiesThatAreApartHaveContactsOfTheirDistance) {
  int near = 0, far = 0;
  for (const double scale : {1e-3, 1.0, 1e3})
    for (const Pair& pair : pairsOf(scale))
      for (const double margin : kMargins)
        for (int i = 0; i < 12; ++i) {
          place(pair.mesh1->sphereRadius() + pair.mesh2->sphereRadius() +
                (0.1 * i - 0.3) * std::min(margin, 20.0) * pair.size);
          const double gap = distance(pair), limit = margin * pair.size;
          if (gap < 1e-5 * pair.size || std::abs(gap - limit) < 1e-3 * limit) continue;
          const std::vector<Contact> found = contacts(pair, limit);
          ASSERT_EQ(!found.empty(), gap < limit) << gap / pair.size << " of " << margin;
          ++(found.empty() ? far : near);
          if (found.empty()) continue;
          EXPECT_NEAR(found[0].depth, -gap, 2e-3 * gap + 1e-6 * pair.size) << margin;
          for (const Contact& c : found) {
            EXPECT_LE(c.depth, found[0].depth);
            EXPECT_NEAR(length(c.normal), 1, 1e-9);
          }
        }
  EXPECT_GT(std::min(near, far), 500);
}

TEST_F(MarginTest, AContactAtTheClosestPointsKeepsTheConvention) {
  const MeshPtr plate = boxSoup({10, 10, 1}, 4).build(), box = boxSoup({1, 1, 1}).build();
  pose2_.translation = {3.2, -2.1, 4};
  pose2_.rotation = test::randomRotation(random_);
  std::array<Contact, 8> out;
  ASSERT_EQ(collide(*plate, {}, *box, pose2_, out, nullptr, 100), 1U);
  const Contact& c = out[0];
  const auto closest = meshDistance(*plate, {}, *box, pose2_);
  EXPECT_NEAR(c.depth, -closest->distance, 1e-12);
  EXPECT_NEAR(c.normal.z, -1, 1e-12);  // into the plate
  EXPECT_NEAR(length(c.position - 0.5 * (closest->witness1 + closest->witness2)), 0, 1e-12);
  EXPECT_EQ(c.triangle1, closest->triangle1);
  EXPECT_EQ(c.triangle2, closest->triangle2);
}

TEST_F(MarginTest, BodiesThatOverlapHaveTheContactsThatTheyHaveWithout) {
  int overlapping = 0, with_more = 0;
  for (const Pair& pair : pairsOf(1))
    for (const double margin : kMargins)
      for (int i = 0; i < 12; ++i) {
        place((0.3 + 0.05 * i) * (pair.mesh1->sphereRadius() + pair.mesh2->sphereRadius()));
        const std::vector<Contact> plain = contacts(pair, 0);
        if (plain.empty()) continue;
        const std::vector<Contact> found = contacts(pair, margin * pair.size);
        for (const Contact& c : plain)
          EXPECT_TRUE(std::ranges::any_of(found, [&](const Contact& f) {
            return f.position == c.position && f.normal == c.normal && f.depth == c.depth;
          })) << margin;
        EXPECT_EQ(std::ranges::count_if(plain, [](const Contact& c) { return c.depth > 0; }),
                  std::ranges::count_if(found, [](const Contact& c) { return c.depth > 0; }));
        ++overlapping;
        with_more += found.size() > plain.size();
      }
  EXPECT_GT(overlapping, 500);
  EXPECT_GT(with_more, 100);
}

TEST_F(MarginTest, WhatIsApartTakesNoPlaceOfWhatOverlaps) {
  const MeshPtr plate = boxSoup({10, 10, 1}).build(), box = boxSoup({1, 1, 1}).build();
  pose2_.rotation = {{{1, 0, 1e-3}, {0, 1, 0}, {-1e-3, 0, 1}}};
  pose2_.translation.z = 1 - 2e-4;
  std::array<Contact, 64> plain, out;
  const std::size_t count = collide(*plate, {}, *box, pose2_, plain);
  ASSERT_GT(count, 1U);
  ASSERT_GT(collide(*plate, {}, *box, pose2_, out, nullptr, 0.05), count);
  ASSERT_EQ(collide(*plate, {}, *box, pose2_, std::span(out).first(count), nullptr, 0.05), count);
  for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(out[i].position, plain[i].position) << i;
}

// The other edge is apart by 0.02.
TEST_F(MarginTest, ABoxThatLeansHasContactsUnderItsOtherEdge) {
  const MeshPtr plate = boxSoup({10, 10, 1}).build(), box = boxSoup({1, 1, 1}).build();
  const double s = 0.02, c = std::sqrt(1 - s * s);
  pose2_.rotation = {{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
  pose2_.translation.z = 0.5 + 0.5 * (c + s) - 1e-3;
  std::array<Contact, 8> out;
  const std::size_t count = collide(*plate, {}, *box, pose2_, out, nullptr, 0.05);
  ASSERT_EQ(count, 4U);
  for (std::size_t i = 0; i < count; ++i) EXPECT_NEAR(out[i].depth, i < 2 ? 1e-3 : 1e-3 - s, 1e-5) << i;
  EXPECT_NEAR(out[0].position.x * out[2].position.x, -0.25, 0.01);
}

// A fixed bug: the square of the distance overflowed, and the normal was no direction.
TEST_F(MarginTest, ReachesAcrossDistancesThatCantBeSquared) {
  const MeshPtr box = boxSoup({1, 1, 1}).build();
  pose2_.translation = {0, 1e300, 0};
  std::array<Contact, 8> out;
  ASSERT_EQ(collide(*box, {}, *box, pose2_, out, nullptr, 2e300), 1U);
  EXPECT_NEAR(out[0].normal.y, -1, 1e-12);
  EXPECT_NEAR(out[0].depth / 1e300, -1, 1e-12);
}

class ClosestContactTest : public ::testing::Test {
 protected:
  /// Those within `margin` of `upper` and `lower`, which is at the origin.
  std::span<const Contact> find(const Soup& upper, const Pose& pose, const Soup& lower, double margin) {
    const MeshPtr mesh1 = upper.build(), mesh2 = lower.build();
    return std::span(room_).first(collideClosest(*mesh1, pose, *mesh2, {}, room_, margin));
  }

  static constexpr double kGap = 1e-4;
  std::array<Contact, 64> room_;
};

TEST_F(ClosestContactTest, OfBallsThereIsOne) {
  std::mt19937_64 random(7);
  const Soup ball = test::sphereSoup(1, 30, 20);
  const MeshPtr mesh = ball.build();
  for (int trial = 0; trial < 20; ++trial) {
    const Vec3 direction = normalised(test::randomPose(random, 1).translation);
    Pose pose{test::randomRotation(random), 3 * direction};
    const auto far = meshDistance(*mesh, pose, *mesh, {});
    pose.translation = (3 - far->distance + kGap) * direction;
    const auto expected = meshDistance(*mesh, pose, *mesh, {});
    const auto found = find(ball, pose, ball, 1.1 * expected->distance);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_NEAR(found[0].depth, -expected->distance, 1e-12);
    EXPECT_LT(length(found[0].position - 0.5 * (expected->witness1 + expected->witness2)), 1e-12);
    EXPECT_GT(dot(found[0].normal, direction), 0.9);
    EXPECT_TRUE(find(ball, pose, ball, 0.9 * expected->distance).empty());
  }
}

// Of those, one alone would let the body tip.
TEST_F(ClosestContactTest, OfFacesOnEachOtherThereAreAll) {
  const Soup plate = boxSoup({4, 4, 1}), box = boxSoup({1, 1, 0.5});
  for (const double turn : {0.0, 0.3}) {
    const Mat3 about_z{
        {{std::cos(turn), -std::sin(turn), 0}, {std::sin(turn), std::cos(turn), 0}, {0, 0, 1}}};
    EXPECT_GE(find(gearSoup(), {about_z, {0.1, 0.2, 0.75 + kGap}}, plate, 2 * kGap).size(), 8U);
    EXPECT_EQ(find(box, {about_z, {0.1, 0.2, 0.75 + kGap}}, plate, 2 * kGap).size(), 4U);
    EXPECT_GE(find(box, {about_z, {0, 0, 0.5 + kGap}}, box, 2 * kGap).size(), 4U);
  }
}

TEST_F(ClosestContactTest, TheOrderOfTheMeshesTurnsItRound) {
  const Soup small = test::sphereSoup(0.3, 16, 10), large = boxSoup({2, 2, 1});
  const auto above = find(small, {{}, {0, 0, 0.8 + kGap}}, large, 2 * kGap);
  ASSERT_EQ(above.size(), 1U);
  EXPECT_NEAR(above[0].normal.z, 1, 1e-9);
  const auto below = find(large, {{}, {0, 0, -0.8 - kGap}}, small, 2 * kGap);
  ASSERT_EQ(below.size(), 1U);
  EXPECT_NEAR(below[0].normal.z, -1, 1e-9);
}

}  // namespace
}  // namespace odemesh
