// Tips that pass each other by a little: both bodies are convex there, and one pushes the other one way. A
// contact for each side of a tip would hold the other one between them, and make it faster as it is flung
// off.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <odemesh/collide.hpp>
#include <random>
#include <span>
#include <vector>

#include "motion/sweep.hpp"
#include "test_meshes.hpp"

namespace odemesh {
namespace {

using test::starSoup;

constexpr double kTip = 0.55;

/// Two stars on either side of the origin, each with a tip there, one of them somewhat past the other.
struct CrossingTips {
  explicit CrossingTips(std::mt19937_64& random) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    const double pitch = 0.5 * uniform(random), yaw = 0.5 * uniform(random), roll = 3 * uniform(random);
    const Vec3 tip{-0.012 * (1 + uniform(random)), 0.004 * uniform(random), 0.1 * uniform(random)};
    first.translation = {-kTip, 0, 0};
    second.rotation =
        rotationBy({0, pitch, 0}) * rotationBy({0, 0, std::numbers::pi + yaw}) * rotationBy({roll, 0, 0});
    second.translation = tip - second.rotation * Vec3{kTip, 0, 0.1 * uniform(random)};
  }
  Pose first, second;
};

[[nodiscard]] bool doAnyOppose(std::span<const Contact> contacts) {
  return std::ranges::any_of(contacts, [&](const Contact& a) {
    return std::ranges::any_of(contacts, [&](const Contact& b) { return dot(a.normal, b.normal) < 0; });
  });
}

TEST(CrossingTips, AreNotHeldFromBothSides) {
  const auto star = starSoup(5, kTip, 0.22, 0.2).build();
  std::mt19937_64 random(59);
  int touching = 0;
  for (int i = 0; i < 3000; ++i) {
    const CrossingTips tips(random);
    std::vector<Contact> contacts(64);
    contacts.resize(collide(*star, tips.first, *star, tips.second, contacts));
    touching += contacts.empty() ? 0 : 1;
    EXPECT_FALSE(doAnyOppose(contacts)) << i;
  }
  EXPECT_GT(touching, 1000);
}

}  // namespace
}  // namespace odemesh
