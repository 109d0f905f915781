// Round bars that cross, as those of two links do: their facets lean to all sides, but one cone holds them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <odemesh/collide.hpp>
#include <vector>

#include "motion/sweep.hpp"
#include "test_meshes.hpp"

namespace odemesh {
namespace {

using test::torusSoup;

constexpr double kMajor = 0.2, kMinor = 0.06;

struct Answer {
  std::vector<Contact> contacts;
  std::size_t patches = 0;
};

/// Two rings that hang in each other, pulled into each other by `depth`, in units of their radius.
[[nodiscard]] Answer pulled(double depth) {
  const auto ring = torusSoup(kMajor, kMinor, 16, 12).build();
  const double apart = 2 * (kMajor - kMinor) + depth * ring->sphereRadius();
  const Pose second{rotationBy({std::numbers::pi / 2, 0, 0}) * rotationBy({0.0004, 0.0003, 0.0005}),
                    {apart, 0, 0}};
  Answer out{std::vector<Contact>(64)};
  QueryStats stats;
  out.contacts.resize(collide(*ring, {}, *ring, second, out.contacts, &stats));
  out.patches = stats.patches;
  return out;
}

TEST(CrossedBars, CarryInOnePatchWhileTheyRest) {
  const Answer answer = pulled(5e-5);
  ASSERT_FALSE(answer.contacts.empty());
  EXPECT_EQ(answer.patches, 1U);
  EXPECT_LE(answer.contacts.size(), 5U);
  for (const Contact& c : answer.contacts) EXPECT_GT(std::abs(c.normal.x), 0.9);
}

TEST(CrossedBars, CarryOnAllSidesOnceTheySinkIn) {
  const Answer answer = pulled(1e-3);
  EXPECT_EQ(answer.patches, 4U);
  const auto leans = [&](double Vec3::*axis, double sign) {
    return std::ranges::any_of(answer.contacts,
                               [&](const Contact& c) { return sign * c.normal.*axis > 0.03; });
  };
  for (const double sign : {-1.0, 1.0}) {
    EXPECT_TRUE(leans(&Vec3::y, sign));
    EXPECT_TRUE(leans(&Vec3::z, sign));
  }
}

}  // namespace
}  // namespace odemesh
