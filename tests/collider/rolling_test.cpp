// What rolls touches down facet by facet: corners that are still in the air do not hold it up.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <odemesh/collide.hpp>
#include <vector>

#include "collide_pair.hpp"
#include "motion/sweep.hpp"
#include "test_meshes.hpp"

namespace odemesh {
namespace {

using test::boxSoup;
using test::MeshPtr;

constexpr int kSides = 1024;
constexpr double kFacet = 2 * std::numbers::pi / kSides;  ///< a facet's length, and the angle it spans

/// A wheel of radius 1 on the ground, at height 0, its axle along y.
class WheelOnGround : public testing::Test {
 protected:
  /// The lowest edge is `ahead` of the axle, in facets, and `depth` deep.
  [[nodiscard]] Pose posed(double ahead, double depth) const {
    const Mat3 rotation = rotationBy({0, -ahead * kFacet, 0}) * along_y_;
    double lowest = 0;
    for (const Vec3& v : wheel_->vertices()) lowest = std::min(lowest, (rotation * v).z);
    return {rotation, {0, 0, -lowest - depth}};
  }

  /// On a slab, and on a plane. Of the wheel's motion nothing may be known.
  [[nodiscard]] std::array<std::vector<Contact>, 2> contacts(const Pose& pose,
                                                             const RelativeMotion* motion) const {
    std::vector<Contact> on_slab(16), on_plane(16);
    QueryStats stats;
    on_slab.resize(collidePair(*wheel_, pose, *slab_, {{}, {0, 0, -0.5}}, on_slab, stats, 0, nullptr,
                               Bounds::kUnknown, motion));
    on_plane.resize(collideHalfSpace(*wheel_, pose, {{0, 0, 1}, 0}, on_plane, stats, 0, motion));
    return {on_slab, on_plane};
  }

  /// Of a wheel that rolls by this spin.
  [[nodiscard]] static RelativeMotion rolling(double spin, double gravity = 9.81) {
    return {{0, 0, 1}, {spin, 0, 0}, {0, spin, 0}, gravity};
  }

  /// How far the contacts reach ahead of the axle, and behind it, in facets.
  [[nodiscard]] static double reachOf(const std::vector<Contact>& contacts) {
    double reach = 0;
    for (const Contact& c : contacts) reach = std::max(reach, std::abs(c.position.x) / kFacet);
    return reach;
  }

  const Mat3 along_y_ = rotationBy({std::numbers::pi / 2, 0, 0});
  const MeshPtr wheel_ = test::revolvedSoup({{0, -0.1}, {1, -0.1}, {1, 0.1}, {0, 0.1}}, kSides).build();
  const MeshPtr slab_ = boxSoup({6, 6, 1}).build();
};

// The next edges, 4e-6 of the radius higher or more, are above the ground.
TEST_F(WheelOnGround, LiesOnWhatIsDownAsItRolls) {
  constexpr double kDepth = 2e-6;
  const RelativeMotion motion = rolling(6);
  for (double ahead = -0.4; ahead < 0.41; ahead += 0.05)
    for (const auto& contacts : contacts(posed(ahead, kDepth), &motion)) {
      ASSERT_EQ(contacts.size(), 2U) << ahead;
      EXPECT_LE(reachOf(contacts), 0.5 + 1e-9) << ahead;
      EXPECT_NEAR(contacts[0].position.y, -contacts[1].position.y, 1e-9) << ahead;
      EXPECT_NEAR(std::abs(contacts[0].position.y), 0.1, 1e-9) << ahead;
      EXPECT_NEAR(contacts[0].depth, kDepth, 2e-7) << ahead;
    }
}

// Where it rests, the edges beside the lowest one keep it from rocking. Without gravity, nobody knows. What
// turns in place does not come down on them.
TEST_F(WheelOnGround, LiesOnThreeEdgesAsItRests) {
  const auto expectThree = [&](const RelativeMotion* motion) {
    for (const auto& contacts : contacts(posed(0, 2e-6), motion)) EXPECT_GT(reachOf(contacts), 0.9);
  };
  RelativeMotion in_place = rolling(6);
  in_place.velocity = {0.3, 0, 0};
  for (const RelativeMotion& motion : {rolling(0), rolling(1e-3), rolling(0.1), rolling(6, 0), in_place})
    expectThree(&motion);
  expectThree(nullptr);
}

// A box that spins on its face as it slides, and leans by what an iterative solver errs, keeps all corners.
TEST(Rolling, AFaceThatSpinsKeepsItsCorners) {
  const MeshPtr box = boxSoup({1, 1, 1}).build();
  constexpr double kLean = 3e-5;
  const Pose pose{rotationBy({0, kLean, 0}), {0, 0, 0.5 + 0.5 * kLean - 1e-6}};
  const RelativeMotion motion{pose.translation, {5, 0, 0}, {0, 0, 10}, 9.81};
  std::vector<Contact> contacts(16);
  QueryStats stats;
  EXPECT_EQ(collideHalfSpace(*box, pose, {{0, 0, 1}, 0}, contacts, stats, 0, &motion), 4U);
}

}  // namespace
}  // namespace odemesh
