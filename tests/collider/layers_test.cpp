// Layers of overlap: what the faces of a region tell, against rays through both meshes.
#include "contact/patch/layers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <odemesh/collide.hpp>
#include <random>

#include "contact/patch/gather.hpp"
#include "contact/way_out/way_out.hpp"
#include "motion/sweep.hpp"
#include "test_meshes.hpp"

namespace odemesh {
namespace {

using test::boxSoup;
using test::cellSoup;
using test::MeshPtr;
using test::Soup;
using test::sphereSoup;

/// Plates above each other.
Soup combSoup() {
  Soup out;
  for (int i = 0; i < 5; ++i)
    for (Soup plate = boxSoup({2, 2, 0.12}, 3); const Vec3& v : plate.vertices)
      out.vertices.push_back(v + Vec3{0, 0, 0.3 * i - 0.6});
  for (std::uint32_t i = 0; i < out.vertices.size(); ++i) out.indices.push_back(i);
  return out;
}

/// Counts of spans that are one layer, and that are not, of those on which both ways agree.
struct Agreement {
  int one = 0, not_one = 0, different = 0;
};

[[nodiscard]] Agreement compare(const MeshPair& pair, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> within(-1, 1);
  const Vec3 direction = normalised({0.3 * within(random), 0.3 * within(random), 1});
  ContactScratch scratch;
  for (int side = 0; side < 2; ++side) {
    const Mesh& mesh = pair[side].mesh();
    for (std::uint32_t t = 0; t < mesh.triangleCount(); ++t)
      scratch.faces[side].push_back(regionFace(pair[side], t, false));
  }
  scratch.points[0] = {{-2, -2, -2}, {2, 2, 2}};
  const Layers layers(pair, direction, scratch);
  Agreement out;
  for (int i = 0; i < 6000; ++i) {
    const Vec3 p{within(random), within(random), within(random)};
    // Some spans end where a line leaves the bodies, whatever lies between.
    const double up = wayOut(pair, 0, p, direction), down = wayOut(pair, 1, p, -direction);
    const double thickness = up > 0 && down > 0 ? up + down : 0.5 + 0.4 * within(random);
    const LayerSpan span{p + direction * (0.5 * (up - down)), thickness, 0.2 * thickness};
    const bool is_one = isOneLayer(pair, direction, span);
    if (layers.isOne(span) != is_one)
      ++out.different;
    else
      ++(is_one ? out.one : out.not_one);
  }
  return out;
}

[[nodiscard]] Agreement compareAll(const Soup& first, const Soup& second) {
  const MeshPtr mesh1 = first.build(), mesh2 = second.build();
  Agreement sum;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    std::mt19937_64 random(seed);
    const Agreement found = compare(MeshPair(*mesh1, {}, *mesh2, test::randomPose(random, 0.2)), seed);
    sum.one += found.one;
    sum.not_one += found.not_one;
    sum.different += found.different;
  }
  return sum;
}

TEST(Layers, OfACombAndABallAreWhatRaysFind) {
  const Agreement found = compareAll(combSoup(), sphereSoup(0.9, 24, 12));
  EXPECT_EQ(found.different, 0);
  EXPECT_GT(found.one, 100);
  EXPECT_GT(found.not_one, 1000);
}

TEST(Layers, OfTwoCombsAreWhatRaysFind) {
  const Agreement found = compareAll(combSoup(), combSoup());
  EXPECT_EQ(found.different, 0);
  EXPECT_GT(found.one, 100);
  EXPECT_GT(found.not_one, 1000);
}

/// A bar along x whose top, at z = 0 and 0.6 wide, hangs over: it narrows downwards.
[[nodiscard]] Soup dovetailSoup() {
  Soup out = boxSoup({6, 0.6, 0.4});
  for (Vec3& v : out.vertices) v = {v.x, v.z < 0 ? v.y * 0.5 : v.y, v.z - 0.2};
  return out;
}

// A ray from under the rim misses the bar; that says nothing about layers.
TEST(Layers, UnderARimThatHangsOverAreOne) {
  Soup soup = boxSoup({0.6, 1, 0.2});
  Soup knob = boxSoup({0.1, 0.1, 0.1});  // so that the plate is not convex
  knob.transform({{}, {0, 0, 0.2}});
  soup.add(knob);
  const MeshPtr plate = soup.build(), bar = dovetailSoup().build();
  for (const double tilt : {0.0, 1e-9, -1e-9, 1e-6, -1e-6}) {
    const Pose pose{{{{1, 0, 0}, {0, 1, -tilt}, {0, tilt, 1}}}, {-0.7, 0, 0.1 - 0.003}};
    std::vector<Contact> contacts(16);
    contacts.resize(collide(*plate, pose, *bar, {}, contacts));
    ASSERT_EQ(contacts.size(), 4U) << tilt;
    for (const Contact& c : contacts) {
      EXPECT_NEAR(std::abs(c.position.y), 0.3, 1e-6) << tilt;
      EXPECT_NEAR(std::abs(c.position.x + 0.7), 0.3, 1e-6) << tilt;
      EXPECT_NEAR(c.depth, 0.003, 2e-6) << tilt;
    }
  }
}

// A fixed bug: rays beside a corner, towards the middle of the patch, started in the notch that the corner
// looks at, and the corner was taken for one of another layer.
TEST(Layers, BesideCornersThatLookAtANotchAreOne) {
  const auto is_filled = [](std::size_t i, std::size_t j, std::size_t) { return i == 1 || j == 1; };
  const std::vector<double> across{-0.15, 0.15};
  const MeshPtr tee = cellSoup({{{-0.5, -0.15, 0.15, 0.5}, {-0.7, 0.2, 0.5}, across}}, is_filled).build();
  const MeshPtr slab = boxSoup({4, 4, 1}).build();
  const Vec3 hull[6] = {{-0.5, 0.5, 0},   {0.5, 0.5, 0},   {-0.5, 0.2, 0},
                        {-0.15, -0.7, 0}, {0.15, -0.7, 0}, {0.5, 0.2, 0}};
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<Contact> contacts(32);
  for (int i = 0; i < 300; ++i) {
    const Mat3 rotation = rotationBy({0, 0, 6.3 * unit(random)}) *
                          rotationBy({1e-9 * (unit(random) - 0.5), 1e-9 * (unit(random) - 0.5), 0});
    contacts.resize(32);
    contacts.resize(collide(*tee, {rotation, {0, 0, 0.65 - 0.01}}, *slab, {}, contacts));
    for (const Vec3& corner : hull) {
      const Vec3 at = rotation * corner;
      EXPECT_TRUE(std::ranges::any_of(
          contacts,
          [&](const Contact& c) { return std::hypot(c.position.x - at.x, c.position.y - at.y) < 1e-3; }))
          << i << ": no contact at corner " << corner.x << ' ' << corner.y;
    }
  }
}

}  // namespace
}  // namespace odemesh
