// Round bars that cross, as those of two links do: their facets lean to all sides, but one cone holds them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <odemesh/collide.hpp>
#include <span>
#include <vector>

#include "motion/sweep.hpp"
#include "test_meshes.hpp"

namespace odemesh {
namespace {

using test::Soup;

constexpr double kMajor = 0.2, kMinor = 0.06;

/// A ring around z, with a vertex at the inner end of each axis.
[[nodiscard]] Soup ringSoup(std::uint32_t segments, std::uint32_t sides) {
  Soup out;
  const auto turn = [](std::uint32_t i, std::uint32_t count) { return 2 * std::numbers::pi * i / count; };
  for (std::uint32_t s = 0; s < segments; ++s)
    for (std::uint32_t k = 0; k < sides; ++k) {
      const double around = turn(s, segments), across = turn(k, sides);
      const double radius = kMajor + kMinor * std::cos(across);
      out.vertices.push_back(
          {radius * std::cos(around), radius * std::sin(around), kMinor * std::sin(across)});
      const std::uint32_t next_s = (s + 1) % segments, next_k = (k + 1) % sides;
      const std::uint32_t a = s * sides + k, b = next_s * sides + k, c = next_s * sides + next_k,
                          d = s * sides + next_k;
      out.indices.insert(out.indices.end(), {a, b, c, a, c, d});
    }
  return out;
}

struct Answer {
  std::vector<Contact> contacts;
  std::size_t patches = 0;
};

/// Two rings that hang in each other, pulled into each other by `depth`, in units of their radius.
[[nodiscard]] Answer pulled(double depth) {
  const auto ring = ringSoup(16, 12).build();
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
