// Boxes of two lists that meet, against every pair of them.
#include "motion/meeting_boxes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace odemesh {
namespace {

struct Boxed {
  Aabb box;
};
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

[[nodiscard]] Pairs meeting(const std::vector<Boxed>& first, const std::vector<Boxed>& second) {
  Pairs out;
  MeetingBoxes().forEachPair(first, second,
                             [&](std::uint32_t i, std::uint32_t j) { out.emplace_back(i, j); });
  std::ranges::sort(out);
  return out;
}

[[nodiscard]] Pairs everyPair(const std::vector<Boxed>& first, const std::vector<Boxed>& second) {
  Pairs out;
  for (std::uint32_t i = 0; i < first.size(); ++i)
    for (std::uint32_t j = 0; j < second.size(); ++j)
      if (first[i].box.meets(second[j].box)) out.emplace_back(i, j);
  return out;
}

/// Within a cube of 1, and larger by up to `size`.
[[nodiscard]] std::vector<Boxed> randomBoxes(std::mt19937_64& random, int count, const Vec3& size) {
  std::uniform_real_distribution<double> number(0, 1);
  const auto point = [&] { return Vec3{number(random), number(random), number(random)}; };
  std::vector<Boxed> out;
  for (int i = 0; i < count; ++i) {
    const Vec3 low = point(), share = point();
    out.push_back({{low, low + Vec3{size.x * share.x, size.y * share.y, size.z * share.z}}});
  }
  return out;
}

TEST(MeetingBoxes, AreThoseOfEveryPair) {
  std::mt19937_64 random(3);
  for (const Vec3& size1 : {Vec3{0.02, 0.02, 0.5}, Vec3{0.5, 0.01, 0.1}, Vec3{0, 0, 0}, Vec3{2, 2, 2}})
    for (const Vec3& size2 : {Vec3{0.02, 0.02, 0.02}, Vec3{0.01, 0.5, 0.1}, Vec3{2, 2, 2}})
      for (const int count : {1, 7, 300}) {
        const auto first = randomBoxes(random, count, size1), second = randomBoxes(random, 200, size2);
        EXPECT_EQ(meeting(first, second), everyPair(first, second)) << count;
        EXPECT_EQ(meeting(second, first), everyPair(second, first)) << count;
      }
}

TEST(MeetingBoxes, AreThoseOfLargeOnesAmongSmallOnes) {
  std::mt19937_64 random(4);
  auto first = randomBoxes(random, 500, {0.01, 0.01, 0.01});
  const auto large = randomBoxes(random, 3, {5, 5, 5});
  first.insert(first.end(), large.begin(), large.end());
  const auto second = randomBoxes(random, 500, {0.01, 0.01, 0.01});
  EXPECT_EQ(meeting(first, second), everyPair(first, second));
}

TEST(MeetingBoxes, AreThoseOfBoxesThatOverflow) {
  std::mt19937_64 random(5);
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double number : {1e308, kInfinity, kNan})
    for (double Vec3::*const axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
      auto first = randomBoxes(random, 80, {0.1, 0.1, 0.1}),
           second = randomBoxes(random, 80, {0.1, 0.1, 0.1});
      for (std::size_t i = 0; i < first.size(); i += 7) {
        first[i].box.hi.*axis = number;
        second[i].box.lo.*axis = -number;
        second[(i + 3) % second.size()].box.hi.*axis = number;
      }
      EXPECT_EQ(meeting(first, second), everyPair(first, second)) << number;
    }
}

TEST(MeetingBoxes, AreThoseThatTouchAndThoseInOnePlane) {
  const std::vector<Boxed> first{{{{0, 0, 0}, {0, 1, 1}}}, {{{0, 2, 0}, {0, 3, 1}}}};
  const std::vector<Boxed> second{{{{0, 1, 1}, {0, 2, 2}}}, {{{0, 4, 0}, {0, 5, 1}}}};
  EXPECT_EQ(meeting(first, second), (Pairs{{0, 0}, {1, 0}}));
  EXPECT_TRUE(meeting({}, second).empty());
  EXPECT_TRUE(meeting(first, {}).empty());
}

}  // namespace
}  // namespace odemesh
