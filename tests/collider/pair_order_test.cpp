// Answers are the same bit for bit whichever mesh is named first.
#include "contact/pair_order.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "collide_pair.hpp"
#include "test_meshes.hpp"

namespace odemesh::test {
namespace {

[[nodiscard]] bool areSameTurnedRound(const Contact& a, const Contact& b) {
  return a.position == b.position && a.normal == -b.normal && a.depth == b.depth &&
         a.triangle1 == b.triangle2 && a.triangle2 == b.triangle1;
}

struct ShapePair {
  const char* name;
  MeshPtr mesh1, mesh2;
};

[[nodiscard]] std::vector<ShapePair> shapePairs() {
  std::mt19937_64 random(11);
  const MeshPtr box = boxSoup({1, 0.7, 0.4}).build(), star = starSoup(5, 0.9, 0.4, 0.3).build();
  return {{"one box", box, box},
          {"two boxes of one shape", box, boxSoup({1, 0.7, 0.4}).build()},
          {"boxes cut otherwise", box, boxSoup({1, 0.7, 0.4}, 4).build()},
          {"one star", star, star},
          {"star and box", star, box},
          {"balls", sphereSoup(1, 24, 16).build(), sphereSoup(0.5, 20, 12).build()},
          {"plate and ball", boxSoup({8, 8, 0.5}, 3).build(), sphereSoup(0.6, 24, 16).build()},
          {"sheets", randomSoup(random, 80).build(), randomSoup(random, 60).build()}};
}

/// Near each other somewhere, far from the origin at times.
[[nodiscard]] std::array<Pose, 2> meetingPoses(const ShapePair& shapes, std::mt19937_64& random, double far) {
  std::uniform_real_distribution<double> share(0.1, 0.9);
  const double reach = share(random) * (0.3 * shapes.mesh1->sphereRadius() + shapes.mesh2->sphereRadius());
  const Pose pose1 = randomPose(random, far);
  return {pose1, {randomRotation(random), pose1.translation + randomRotation(random).row[0] * reach}};
}

TEST(PairOrder, DoesNotDependOnTheArguments) {
  std::mt19937_64 random(7);
  for (const double margin : {0.0, 0.05})
    for (const ShapePair& shapes : shapePairs()) {
      int meeting = 0;
      for (int i = 0; i < 60; ++i) {
        const auto [pose1, pose2] = meetingPoses(shapes, random, i % 3 == 0 ? 1000 : 0);
        std::array<Contact, 32> one, other;
        const std::size_t count = collide(*shapes.mesh1, pose1, *shapes.mesh2, pose2, one, nullptr, margin);
        ASSERT_EQ(collide(*shapes.mesh2, pose2, *shapes.mesh1, pose1, other, nullptr, margin), count);
        ASSERT_TRUE(std::equal(one.begin(), one.begin() + count, other.begin(), areSameTurnedRound))
            << shapes.name << ' ' << i;
        meeting += count > 0;
      }
      EXPECT_GT(meeting, 20) << shapes.name;
    }
}

TEST(PairOrder, DoesNotMatterToWhomAnyContactServes) {
  std::mt19937_64 random(8);
  for (const ShapePair& shapes : shapePairs())
    for (int i = 0; i < 20; ++i) {
      const auto [pose1, pose2] = meetingPoses(shapes, random, 0);
      Contact one, other;
      QueryStats stats;
      const std::size_t count = collideAny(*shapes.mesh1, pose1, *shapes.mesh2, pose2, one, stats);
      ASSERT_EQ(collideAny(*shapes.mesh2, pose2, *shapes.mesh1, pose1, other, stats), count);
      if (count > 0) {
        ASSERT_TRUE(areSameTurnedRound(one, other)) << shapes.name << ' ' << i;
      }
    }
}

// Two of one shape that lie as each other's images see each other in the same place: no trembling may make
// the one or the other the first.
TEST(PairOrder, IsTheCallersWhereMeshesLieAlike) {
  const MeshPtr box = boxSoup({1, 0.7, 0.4}).build();
  const Mat3 half_turn{{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
  for (const double x : {-1e-8, 0.0, 1e-8}) {
    EXPECT_FALSE(areInReverse(*box, {}, *box, {half_turn, {x, 0.1, 0.39}})) << x;
    EXPECT_FALSE(areInReverse(*box, {half_turn, {x, 0.1, 0.39}}, *box, {})) << x;
  }
}

TEST(PairOrder, HasTheLargerMeshFirst) {
  const MeshPtr large = boxSoup({1, 1, 1}).build(), small = boxSoup({1, 1, 0.9}, 5).build();
  EXPECT_FALSE(areInReverse(*large, {}, *small, {{}, {3, 2, 1}}));
  EXPECT_TRUE(areInReverse(*small, {{}, {3, 2, 1}}, *large, {}));
}

}  // namespace
}  // namespace odemesh::test
