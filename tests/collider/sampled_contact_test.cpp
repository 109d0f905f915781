// Deep regions of finely cut surfaces, whose vertices inside are looked at in a sample.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <odemesh/collide.hpp>

#include "test_meshes.hpp"

namespace odemesh {
namespace {

using test::MeshPtr;
using test::revolvedSoup;
using test::Soup;
using test::sphereSoup;

/// The closed profile of a tube between two radii with `teeth` 45 degree ridges on its inner or outer side.
std::vector<std::array<double, 2>> ridged(double plain, double valley, double crest, int teeth) {
  std::vector<std::array<double, 2>> out{{plain, 0}};
  const double pitch = 2 * std::abs(crest - valley);
  for (int i = 0; i < teeth; ++i) {
    out.push_back({valley, pitch * i});
    out.push_back({crest, pitch * (i + 0.5)});
  }
  out.push_back({valley, pitch * teeth});
  out.push_back({plain, pitch * teeth});
  if (plain > valley) std::reverse(out.begin(), out.end());  // keeps the outside outside
  return out;
}

TEST(ContactSampled, FineBallsLeaveAlongTheLineOfTheirCentres) {
  const MeshPtr ball = sphereSoup(1, 160, 80).build();
  std::mt19937_64 random(3);
  for (const double depth : {0.05, 0.3, 0.8}) {
    const Mat3 turn = test::randomRotation(random);
    const Vec3 apart = turn * Vec3{0, 0, 2 - depth};
    std::array<Contact, 64> contacts;
    QueryStats stats;
    const std::size_t count = collide(*ball, {test::randomRotation(random), apart}, *ball,
                                      {test::randomRotation(random), {}}, contacts, &stats);
    ASSERT_GT(count, 0U);
    double deepest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_GT(dot(contacts[i].normal, normalised(apart)), 0.9995) << depth;
      deepest = std::max(deepest, contacts[i].depth);
    }
    EXPECT_NEAR(deepest, depth, 0.02 * depth + 2e-3);
  }
}

TEST(ContactSampled, SamplesAreTheSameInEveryOrderOfTheMeshes) {
  const MeshPtr ball = sphereSoup(1, 120, 60).build();
  const Pose up{{}, {0.1, 0.2, 1.6}};
  std::array<Contact, 64> there, back;
  const std::size_t count = collide(*ball, up, *ball, {}, there);
  ASSERT_EQ(collide(*ball, {}, *ball, up, back), count);
  double deepest[2] = {0, 0};
  for (std::size_t i = 0; i < count; ++i) {
    deepest[0] = std::max(deepest[0], there[i].depth);
    deepest[1] = std::max(deepest[1], back[i].depth);
  }
  EXPECT_NEAR(deepest[0], deepest[1], 1e-9);
}

/// Ridges in each other, pushed a hair along the axis: the overlap reaches over all of them, as in a
/// thread, and the way out of the whole is long; each flank's is short, and its contacts say so.
TEST(ContactSampled, RidgesTouchAlongTheirFlanks) {
  const double height = 0.05;
  const MeshPtr bolt = revolvedSoup(ridged(0.2, 1.0 - height, 1.0, 6), 48).build();
  const MeshPtr nut = revolvedSoup(ridged(1.5, 1.0 - height + 0.004, 1.0 + 0.004, 6), 48).build();
  ASSERT_TRUE(bolt->isSolid());
  ASSERT_TRUE(nut->isSolid());
  const double shift = 0.005;  // the play along the axis is 0.004
  std::array<Contact, 256> contacts;
  const std::size_t count = collide(*nut, Pose{{}, {0, 0, -shift}}, *bolt, {}, contacts);
  ASSERT_GT(count, 0U);
  double up = 0, sideways = 0;
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_LT(contacts[i].depth, 0.002);
    EXPECT_GT(contacts[i].normal.z, 0);
    up += contacts[i].normal.z;
    sideways += std::hypot(contacts[i].normal.x, contacts[i].normal.y);
  }
  // Flanks at 45 degrees; on the crests, between a flank and its neighbour.
  EXPECT_GT(up, 0.7 * sideways);
  EXPECT_LT(up, 1.1 * sideways);
}

}  // namespace
}  // namespace odemesh
