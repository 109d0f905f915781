#include <gtest/gtest.h>

#include <odemesh/sim/column.hpp>
#include <odemesh/sim/random.hpp>
#include <odemesh/sim/rest_monitor.hpp>
#include <vector>

namespace odemesh::sim {
namespace {

std::vector<double> mixedRadii(std::size_t count) {
  std::vector<double> radii;
  for (std::size_t i = 0; i < count; ++i) radii.push_back(0.1 + 0.4 * static_cast<double>(i % 5));
  return radii;
}

TEST(Column, SpheresNeitherOverlapNorLeaveTheColumn) {
  for (const std::size_t count : {1U, 2U, 7U, 100U}) {
    for (const double spacing : {1.0, 1.1, 3.0}) {
      const std::vector<double> radii = mixedRadii(count);
      const Column column = arrangeColumn(radii, {count, spacing, 2.5});
      ASSERT_EQ(column.poses.size(), count);
      for (std::size_t i = 0; i < count; ++i) {
        const Vec3& p = column.poses[i].translation;
        EXPECT_GE(p.z - radii[i], 2.5 - 1e-12);
        EXPECT_LE(p.z + radii[i], column.top + 1e-12);
        EXPECT_LE(std::hypot(p.x, p.y) + radii[i], column.radius + 1e-12);
        for (std::size_t j = 0; j < i; ++j)
          EXPECT_GE(length(p - column.poses[j].translation), radii[i] + radii[j] - 1e-12);
      }
    }
  }
}

TEST(Column, DependsOnTheSeedAlone) {
  const std::vector<double> radii = mixedRadii(20);
  const Column a = arrangeColumn(radii, {7, 1.2, 0});
  const Column b = arrangeColumn(radii, {7, 1.2, 0});
  const Column c = arrangeColumn(radii, {8, 1.2, 0});
  for (std::size_t i = 0; i < radii.size(); ++i) {
    EXPECT_EQ(a.poses[i].translation, b.poses[i].translation);
    EXPECT_EQ(a.poses[i].rotation.row[1], b.poses[i].rotation.row[1]);
  }
  EXPECT_NE(a.poses[3].translation, c.poses[3].translation);
}

TEST(Random, RotationsAreRotationsWithoutAPreferredDirection) {
  Random random(1);
  Vec3 mean;
  constexpr int kCount = 20000;
  for (int i = 0; i < kCount; ++i) {
    const Mat3 r = random.rotation();
    EXPECT_NEAR(length(cross(r.row[0], r.row[1]) - r.row[2]), 0, 1e-12);
    EXPECT_NEAR(length(r.row[0]), 1, 1e-12);
    mean += r * Vec3{0, 0, 1};
  }
  EXPECT_LT(length(mean) / kCount, 4 / std::sqrt(kCount));  // four standard deviations
}

TEST(Random, SequenceIsThatOfTheStandardsMersenneTwister) {
  std::mt19937_64 engine(42);
  Random random(42);
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(random.uniform(), static_cast<double>(engine() >> 11) / 9007199254740992.0);
}

TEST(RestMonitor, NeedsAFullQuietWindow) {
  RestMonitor rest(0.1, 3);
  EXPECT_FALSE(rest.isAtRest());
  EXPECT_EQ(rest.steps(), 0U);
  for (const double speed : {5.0, 0.05, 0.05}) rest.add(speed);
  EXPECT_FALSE(rest.isAtRest());
  rest.add(0.05);
  EXPECT_TRUE(rest.isAtRest());
  EXPECT_EQ(rest.steps(), 3U);
  EXPECT_NEAR(rest.rmsSpeed(), 0.05, 1e-15);
  rest.add(1);
  EXPECT_FALSE(rest.isAtRest());
}

}  // namespace
}  // namespace odemesh::sim
