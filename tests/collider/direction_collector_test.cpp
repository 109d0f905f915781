// Which directions of a region's faces are kept where there are more than there is room for.
#include "contact/way_out/direction_collector.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace odemesh::test {
namespace {

constexpr double kDegree = 3.14159265358979323846 / 180;

[[nodiscard]] Vec3 atAngle(double degrees) {
  return {std::cos(degrees * kDegree), std::sin(degrees * kDegree), 0};
}

/// Of directions that are kept, the greatest cosine with this one.
[[nodiscard]] double nearestCosine(const ContactScratch& scratch, const Vec3& direction) {
  double greatest = -1;
  for (const Vec3& d : scratch.directions) greatest = std::max(greatest, dot(d, direction));
  return greatest;
}

TEST(DirectionCollector, KeepsWhatDiffersByMoreThanRounding) {
  ContactScratch scratch;
  DirectionCollector collector(scratch);
  collector.add(atAngle(0), 1);
  collector.add(atAngle(0.1), 1);
  collector.add(atAngle(1e-4), 1);
  ASSERT_EQ(scratch.directions.size(), 2U);
  EXPECT_EQ(scratch.weights[0], 2);
}

TEST(DirectionCollector, JoinsLikeOnesWhereThereIsNoRoomForOthers) {
  ContactScratch scratch;
  DirectionCollector collector(scratch);
  for (int i = 0; i < 40; ++i) collector.add(atAngle(0.05 * i), 1);
  collector.add(atAngle(90), 0.5);
  EXPECT_LT(scratch.directions.size(), 24U);
  EXPECT_GT(nearestCosine(scratch, atAngle(90)), 1 - 1e-12);
  double weight = 0;
  for (const double w : scratch.weights) weight += w;
  EXPECT_NEAR(weight, 40.5, 1e-12);
}

TEST(DirectionCollector, ReplacesTheLightestOfManyThatDiffer) {
  ContactScratch scratch;
  DirectionCollector collector(scratch);
  for (int i = 0; i < 24; ++i) collector.add(atAngle(10 * i), i == 7 ? 1 : 2);
  collector.add(atAngle(300), 0.5);
  EXPECT_LT(nearestCosine(scratch, atAngle(300)), 0.6);
  collector.add(atAngle(300), 3);
  EXPECT_EQ(scratch.directions.size(), 24U);
  EXPECT_GT(nearestCosine(scratch, atAngle(300)), 1 - 1e-12);
  EXPECT_LT(nearestCosine(scratch, atAngle(70)), 1 - 1e-3);
}

// A fixed bug: which came after enough others was left out, however many faces there were of it.
TEST(DirectionCollector, FindsTheFlatSideOfManyLightFaces) {
  ContactScratch scratch;
  DirectionCollector collector(scratch);
  for (int i = 0; i < 60; ++i) {
    collector.add(atAngle(3 * i), 1);
    if (i >= 24) collector.add({0, 0, 1}, 0.5);
    if (i >= 24) collector.add({0, 0, 1}, 0.7);
  }
  EXPECT_EQ(scratch.directions.size(), 24U);
  EXPECT_GT(nearestCosine(scratch, {0, 0, 1}), 1 - 1e-12);
}

}  // namespace
}  // namespace odemesh::test
