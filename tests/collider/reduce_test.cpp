// The reduction of a patch to its corners, whatever lies on top of each other.
#include "reduction/reduce.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <odemesh/collide.hpp>
#include <random>
#include <set>
#include <span>
#include <utility>

#include "contact/placed_mesh.hpp"
#include "motion/sweep.hpp"
#include "test_meshes.hpp"

namespace odemesh {
namespace {

constexpr Vec3 kUp{0, 0, 1};

[[nodiscard]] std::vector<Candidate> reduced(std::vector<Candidate> candidates) {
  ContactScratch scratch;
  scratch.clearContacts();
  scratch.candidates = std::move(candidates);
  if (!reducePatch(kUp, Tolerances(1, 0), scratch)) return {};
  return scratch.candidates;
}

TEST(ContactReduction, KeepsOneOfAnyNumberAtOnePlace) {
  for (const std::size_t count : {1, 2, 31, 32, 33, 48, 200}) {
    const std::vector<Candidate> kept =
        reduced(std::vector<Candidate>(count, Candidate{{0.3, -0.2, 0.1}, kUp, 0.01, {0, 0}}));
    ASSERT_EQ(kept.size(), 1U) << count;
    EXPECT_NEAR(kept[0].depth, 0.01, 1e-6);
  }
}

TEST(ContactReduction, KeepsBothEndsOfARow) {
  std::vector<Candidate> row;
  for (int i = 0; i <= 100; ++i) row.push_back({{0.01 * i, 0, 0}, kUp, 0.01, {0, 0}});
  const std::vector<Candidate> kept = reduced(row);
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_NEAR(std::abs(kept[0].position.x - kept[1].position.x), 1, 1e-12);
}

TEST(ContactReduction, KeepsTheCornersOfACrowdedSquare) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> inside(-0.9, 0.9);
  std::vector<Candidate> crowd;
  for (int i = 0; i < 300; ++i) crowd.push_back({{inside(random), inside(random), 0}, kUp, 0.01, {0, 0}});
  for (const double x : {-1, 1})
    for (const double y : {-1, 1}) crowd.push_back({{x, y, 0}, kUp, 0.01, {0, 0}});
  std::ranges::shuffle(crowd, random);
  const std::vector<Candidate> kept = reduced(crowd);
  EXPECT_EQ(kept.size(), 4U);
  for (const Candidate& c : kept) EXPECT_EQ(std::abs(c.position.x) + std::abs(c.position.y), 2);
}

// A fixed bug: of the lowest edge of a wheel only one point was left, since the corners of its hull were
// apart.
TEST(ContactReduction, KeepsWhatOverlapsInPlaceOfCornersThatAreApart) {
  for (const double depth : {1e-6, 2e-5, 9e-5}) {
    std::vector<Candidate> rows;
    for (const double x : {-0.01, 0.0, 0.01})
      for (const double y : {-0.5, 0.5}) rows.push_back({{x, y, 0}, kUp, x == 0 ? depth : -6e-5, {0, 0}});
    const std::vector<Candidate> kept = reduced(rows);
    ASSERT_EQ(kept.size(), 2U) << depth;
    for (const Candidate& c : kept) EXPECT_EQ(c.position.x, 0) << depth;
    EXPECT_EQ(kept[0].position.y, -kept[1].position.y) << depth;
  }
}

TEST(ContactReduction, KeepsACornerThatOpensByAHair) {
  for (const auto& [gap, corners] : {std::pair{5e-6, 4U}, {4e-5, 4U}, {6e-5, 3U}}) {
    std::vector<Candidate> square;
    for (const double x : {-1, 1})
      for (const double y : {-1, 1}) square.push_back({{x, y, 0}, kUp, x + y > 1 ? -gap : 1e-5, {0, 0}});
    const std::vector<Candidate> kept = reduced(square);
    EXPECT_EQ(kept.size(), corners) << gap;
    for (const Candidate& c : kept) EXPECT_GT(c.depth, 0) << gap;
    for (Candidate& c : square) c.depth = -gap;  // what only touches has none
    EXPECT_TRUE(reduced(square).empty()) << gap;
  }
}

// A cube on two corners of its lower face, tilted about the line between them; its radius is 1.
TEST(ContactReduction, OnAPlaneKeepsACornerThatOpensByAHair) {
  const double edge = 2 / std::sqrt(3.0);
  const test::MeshPtr cube = test::boxSoup({edge, edge, edge}).build();
  for (const auto& [gap, corners] : {std::pair{4e-5, 4U}, {6e-5, 2U}}) {
    const double sunk = 1e-5, tilt = (gap + sunk) / edge;
    const Mat3 rotation = rotationBy({tilt, 0, 0});
    const Vec3 low = rotation * Vec3{0, -0.5 * edge, -0.5 * edge};
    std::vector<Contact> contacts(8);
    contacts.resize(collidePlane(*cube, {rotation, {0, 0, -low.z - sunk}}, {0, 0, 1}, 0, contacts));
    EXPECT_EQ(contacts.size(), corners) << gap;
    for (const Contact& c : contacts) EXPECT_GT(c.depth, 0) << gap;
  }
}

[[nodiscard]] double areaOfFirst(std::vector<Candidate> contacts, std::size_t count) {
  contacts.resize(count);
  const auto angle = [](const Candidate& c) { return std::atan2(c.position.y, c.position.x); };
  std::ranges::sort(contacts, [&](const Candidate& a, const Candidate& b) { return angle(a) < angle(b); });
  double twice = 0;
  for (std::size_t i = 0; i < count; ++i)
    twice += cross(contacts[i].position, contacts[(i + 1) % count].position).z;
  return 0.5 * twice;
}

// A program with room for a few contacts takes the first.
TEST(ContactReduction, TheFirstCornersSpanMostOfThePatch) {
  for (const int corners : {5, 6, 7, 8, 12})
    for (int deepest = 0; deepest < corners; ++deepest) {
      std::vector<Candidate> ring;
      for (int i = 0; i < corners; ++i) {
        const double angle = 2 * std::numbers::pi * i / corners + 0.1;
        const double depth = i == deepest ? 0.0102 : 0.01;
        ring.push_back({{std::cos(angle), std::sin(angle), 0}, kUp, depth, {0, 0}});
      }
      const std::vector<Candidate> kept = reduced(ring);
      ASSERT_EQ(kept.size(), std::size_t(corners));
      EXPECT_EQ(kept[0].position.x, ring[std::size_t(deepest)].position.x);
      EXPECT_LT(dot(kept[0].position, kept[1].position), -0.8);
      const double whole = areaOfFirst(kept, kept.size());
      EXPECT_GT(areaOfFirst(kept, 4), 0.66 * whole) << corners;
      EXPECT_GT(areaOfFirst(kept, 3), 0.33 * whole) << corners;
    }
}

/// A ring of points as deep as these, off by as much as rounding leaves.
[[nodiscard]] std::vector<Candidate> ringOf(std::span<const double> depths, std::mt19937_64& random) {
  std::uniform_real_distribution<double> rounding(-1e-13, 1e-13);
  std::vector<Candidate> ring;
  for (std::size_t i = 0; i < depths.size(); ++i) {
    const double angle = 2 * std::numbers::pi * double(i) / double(depths.size());
    const Vec3 at{std::cos(angle) + rounding(random), std::sin(angle) + rounding(random), 0};
    ring.push_back({at, kUp, depths[i] + 1e-3 * rounding(random), {std::uint32_t(i), 0}});
  }
  return ring;
}

[[nodiscard]] std::set<std::uint32_t> cornersOf(const std::vector<Candidate>& contacts) {
  std::set<std::uint32_t> corners;
  for (const Candidate& c : contacts) corners.insert(c.face[0]);
  return corners;
}

// Springs there leave a disc level, and rounding does not move them.
TEST(ContactReduction, LeavesCornersOutEvenlyAllAroundAndTheSameOnes) {
  std::mt19937_64 random(1);
  for (const std::size_t count : {16, 20, 24, 32, 48, 64, 100, 200}) {
    const std::vector<double> depths(count, 0.01);
    const std::vector<Candidate> kept = reduced(ringOf(depths, random));
    ASSERT_EQ(kept.size(), 12U) << count;
    Vec3 sum{};
    for (const Candidate& c : kept) sum += c.position;
    EXPECT_LT(length(sum), 0.6) << count;
    for (int i = 0; i < 20; ++i)
      EXPECT_EQ(cornersOf(reduced(ringOf(depths, random))), cornersOf(kept)) << count;
  }
}

// One more where it is deepest comes and goes as a disc tilts by a hair.
TEST(ContactReduction, ACornerStandsForTheDeepestBesideItIfThatIsHardlyDeeper) {
  std::mt19937_64 random(1);
  std::vector<double> depths(32, 0.01);
  const auto kept = cornersOf(reduced(ringOf(depths, random)));
  for (std::uint32_t i = 0; i < 32; ++i) {
    if (kept.contains(i)) continue;
    depths[i] = 0.0102;
    const std::vector<Candidate> slightly = reduced(ringOf(depths, random));
    EXPECT_EQ(slightly.size(), 12U);
    EXPECT_NEAR(slightly[0].depth, 0.0102, 1e-6);
    depths[i] = 0.0105;
    const std::vector<Candidate> clearly = reduced(ringOf(depths, random));
    EXPECT_EQ(clearly.size(), 13U);
    EXPECT_EQ(clearly[0].face[0], i);
    depths[i] = 0.01;
  }
}

// Beside each corner of a square that touches lies a point of a steep face, a hair farther out and apart.
TEST(ContactReduction, TakesTheDeepestPointAtACorner) {
  std::vector<Candidate> all;
  for (const double x : {-1, 1})
    for (const double y : {-1, 1}) {
      all.push_back({{x * (1 + 1e-8), y, 0}, kUp, -5e-7, {1, 0}});
      all.push_back({{x, y, 0}, kUp, -1e-9, {0, 0}});
      all.push_back({{0.5 * x, 0.5 * y, 0}, kUp, 1e-9, {0, 0}});  // in the middle: no corner
    }
  const std::vector<Candidate> kept = reduced(all);
  ASSERT_EQ(kept.size(), 4U);
  for (const Candidate& c : kept) {
    EXPECT_EQ(std::abs(c.position.x), 1);
    EXPECT_GT(c.depth, 0);
  }
}

TEST(ContactReduction, LeavesOutWhatIsNoNumber) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<Candidate> some(40, Candidate{{kNone, kNone, kNone}, kUp, 1, {0, 0}});
  some.push_back({{0, 0, 0}, kUp, kInfinity, {0, 0}});
  some.push_back({{0, 0, 0}, {kNone, 0, 0}, 1, {0, 0}});
  EXPECT_TRUE(reduced(some).empty());
  some.push_back({{0.5, 0, 0}, kUp, 0.01, {0, 0}});
  const std::vector<Candidate> kept = reduced(some);
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].position.x, 0.5);
}

}  // namespace
}  // namespace odemesh
