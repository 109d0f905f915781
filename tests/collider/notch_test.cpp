// A body lies with an edge over the end of a notch.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <odemesh/collide.hpp>
#include <random>
#include <span>

#include "motion/sweep.hpp"
#include "test_contacts.hpp"
#include "test_meshes.hpp"

namespace odemesh::test {
namespace {

/// Behind y = 0, but where both x and z are positive.
Soup notchSoup() {
  Soup out = prismSoup({{-1, -1}, {1, -1}, {1, 0}, {0, 0}, {0, 1}, {-1, 1}},
                       {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {3, 4, 5}}, 1);
  out.transform({{}, {0, -0.5, 0}});
  return out;
}

/// With an edge of length 1 along the y axis, from where it widens along x and z.
Soup wedgeAlongY() {
  Soup out = boxSoup({1, 1, 1});
  out.transform({{}, {0.5, 0, 0.5}});
  return out;
}

// A fixed bug: of an edge that goes in by a wall of the notch and comes out by its end, the middle was to
// leave, which is half as deep. 1,057 of these 4,093 were left in.
TEST(NotchTest, AnEdgeOverItsEndLeavesAsAWhole) {
  const MeshPtr notch = notchSoup().buildMerged(), wedge = wedgeAlongY().buildMerged();
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  const auto both = [&] { return unit(random) - 0.5; };
  int count = 0, left = 0;
  for (int i = 0; i < 20000; ++i) {
    const double x_out = both(), z_out = both();
    const Vec3 out = normalised(Vec3{x_out, 1, z_out});
    const Vec3 any{both(), both(), both()};
    const Vec3 along = normalised(cross(out, any)), aside = cross(along, out);
    const double depth = 0.01 * (0.2 + unit(random)), off = depth * (0.6 + 0.8 * unit(random));
    const Vec3 z = normalised(out - aside), x = cross(along, z);
    const Pose pose{Mat3{{x, along, z}}.transposed(),
                    aside * (unit(random) < 0.5 ? off : -off) - out * depth};
    // In the way of what else there is of the notch?
    if (intersects(*wedge, {pose.rotation, pose.translation + out * (2 * depth)}, *notch, {})) continue;
    std::array<Contact, 64> contacts;
    const std::size_t found = collide(*wedge, pose, *notch, {}, contacts);
    if (found == 0) continue;
    ++count;
    const Vec3 way = answerTo(std::span(contacts).first(found));
    const Pose moved{pose.rotation, pose.translation + way * 1.05};
    const std::size_t still = collide(*wedge, moved, *notch, {}, contacts);
    left += deepestOf(std::span(contacts).first(still)) > 0.1 * length(way);
  }
  EXPECT_GT(count, 3000);
  EXPECT_LE(left, 150);
}

/// Each triangle cut into four.
Soup quartered(const Soup& whole) {
  Soup out;
  for (std::size_t i = 0; i < whole.indices.size(); i += 3) {
    const auto corner = [&](std::size_t k) { return whole.vertices[whole.indices[i + k % 3]]; };
    const auto middle = [&](std::size_t k) { return 0.5 * (corner(k) + corner(k + 1)); };
    for (std::size_t k = 0; k < 3; ++k) out.addTriangle(corner(k), middle(k), middle(k + 2));
    out.addTriangle(middle(0), middle(1), middle(2));
  }
  return out;
}

/// A wedge leans over the end of the corner that it fits.
void expectLeavesAcross(const Mesh& wedge, const Mesh& corner, double depth) {
  for (int degrees = 33; degrees <= 46; ++degrees)
    for (const double roll : {-0.02, 0.0, 0.02}) {
      const double lean = degrees * std::numbers::pi / 180;
      const double c = std::cos(lean), s = std::sin(lean);
      const Pose pose{rotationBy({-lean, 0, 0}) * rotationBy({0, -roll, 0}), {0, 0.5, -depth}};
      std::array<Contact, 64> contacts;
      const std::size_t count = collide(wedge, pose, corner, {}, contacts);
      ASSERT_GT(count, 0);
      const Contact& deepest = contacts[0];
      EXPECT_LE(deepest.depth, 1.15 * depth * c) << degrees << " " << roll;
      EXPECT_GT(dot(deepest.normal, Vec3{0, s, c}), 0.8) << degrees << " " << roll;
      const Vec3 way = answerTo(std::span(contacts).first(count));
      const Pose moved{pose.rotation, pose.translation + way * 1.05};
      const std::size_t still = collide(wedge, moved, corner, {}, contacts);
      EXPECT_LE(deepestOf(std::span(contacts).first(still)), 0.1 * length(way)) << degrees << " " << roll;
    }
}

// A fixed bug: where the ridge of a peg that tips into its hole leaned over the end of a corner there, it was
// sent along the hole, up to 1.8 times as far as straight off the corner, and slid on into it. It still was
// where the walls are cut into more faces.
TEST(NotchTest, ARidgeLeavesItsCornerAcrossIt) {
  const double half_width = 0.3 * std::sqrt(3.0), height = 0.3, depth = 0.01;
  Soup corner = crackSoup(half_width, height), wedge = wedgeSoup(half_width, height, 1);
  for (int cuts = 0; cuts < 4; ++cuts) {
    SCOPED_TRACE(cuts);
    expectLeavesAcross(*wedge.build(), *corner.build(), depth);
    corner = quartered(corner);
    wedge = quartered(wedge);
  }
}

}  // namespace
}  // namespace odemesh::test
