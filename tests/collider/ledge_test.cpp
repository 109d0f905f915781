// Bodies that stand on a ledge which is narrower than they are, and touch the wall above it.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <odemesh/collide.hpp>
#include <random>
#include <vector>

#include "test_meshes.hpp"

namespace odemesh {
namespace {

using test::MeshPtr;
using test::Soup;

struct Point2 {
  double x, y;
};

/// The prism over an outline that can be seen whole from the origin, from z = 0 to `height`; with a tip, up
/// to the point above the origin.
Soup overOutline(const std::vector<Point2>& outline, double height, bool has_tip = false) {
  Soup out;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Point2 p = outline[i], q = outline[(i + 1) % outline.size()];
    const Vec3 a{p.x, p.y, 0}, b{q.x, q.y, 0}, top{0, 0, height};
    out.addTriangle({0, 0, 0}, b, a);
    if (has_tip) {
      out.addTriangle(a, b, top);
      continue;
    }
    out.addTriangle(a, b, b + top);
    out.addTriangle(a, b + top, a + top);
    out.addTriangle(top, a + top, b + top);
  }
  return out;
}

/// Corners at `radii` in turn.
std::vector<Point2> wheel(int corners, const std::vector<double>& radii) {
  std::vector<Point2> out;
  for (int i = 0; i < corners; ++i) {
    const double angle = 6.283185307179586 * i / corners, r = radii[std::size_t(i) % radii.size()];
    out.push_back({r * std::cos(angle), r * std::sin(angle)});
  }
  return out;
}

/// A wall at x >= 0 with a ledge that ends at x = -width, whose top is at z = 0.
MeshPtr ledge(double width) {
  const std::array<Vec3, 8> profile{
      Vec3{-width, 0, -0.08}, Vec3{0, 0, -0.08}, Vec3{0, 0, -1.5}, Vec3{0.15, 0, -1.5},
      Vec3{0.15, 0, 1.5},     Vec3{0, 0, 1.5},   Vec3{},           Vec3{-width, 0, 0}};
  const Vec3 along{0, 3, 0}, half = along * 0.5;
  Soup out;
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const Vec3 a = profile[i] - half, b = profile[(i + 1) % profile.size()] - half;
    out.addTriangle(a, a + along, b + along);
    out.addTriangle(a, b + along, b);
  }
  const std::array<std::array<int, 3>, 6> face{
      {{0, 1, 6}, {0, 6, 7}, {1, 2, 3}, {1, 3, 4}, {1, 4, 6}, {4, 5, 6}}};
  for (const auto& [i, j, k] : face) {
    out.addTriangle(profile[std::size_t(i)] - half, profile[std::size_t(j)] - half,
                    profile[std::size_t(k)] - half);
    out.addTriangle(profile[std::size_t(i)] + half, profile[std::size_t(k)] + half,
                    profile[std::size_t(j)] + half);
  }
  return out.buildMerged();
}

class LedgeTest : public ::testing::TestWithParam<double> {
 protected:
  /// Turned by `angle`, this far below the ledge's top and inside the wall.
  [[nodiscard]] static Pose stand(const Mesh& mesh, double angle, double sunk, double in_wall, double along) {
    const double c = std::cos(angle), s = std::sin(angle);
    Pose pose{{{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}}, {}};
    double reach = 0;
    for (const Vec3& p : mesh.vertices()) reach = std::max(reach, pose.apply(p).x);
    pose.translation = {in_wall - reach, along, -sunk};
    return pose;
  }
};

INSTANTIATE_TEST_SUITE_P(Widths, LedgeTest, ::testing::Values(0.25, 0.15, 0.08));

// A fixed bug: they were told to leave along the ledge, or around it, by up to its width.
TEST_P(LedgeTest, NoContactIsMuchDeeperThanTheOverlap) {
  const MeshPtr wall = ledge(GetParam());
  ASSERT_TRUE(wall->isSolid());
  const std::vector<Soup> bodies{overOutline(wheel(8, {0.15}), 0.3, true),
                                 overOutline(wheel(10, {0.21, 0.09}), 0.1),
                                 overOutline(wheel(24, {0.17, 0.17, 0.13, 0.13}), 0.08),
                                 overOutline(wheel(12, {0.18, 0.18, 0.05}), 0.09)};
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (const Soup& soup : bodies) {
    const MeshPtr body = soup.buildMerged();
    ASSERT_TRUE(body->isSolid());
    for (int k = 0; k < 500; ++k) {
      const double sunk = k % 2 == 0 ? 0 : 1e-4 * uniform(random),
                   in_wall = std::pow(10, -3 - 2 * uniform(random));
      const Pose pose = stand(*body, 7 * uniform(random), sunk, in_wall, uniform(random));
      std::array<Contact, 64> contacts;
      const std::size_t count = collide(*wall, {}, *body, pose, contacts);
      for (std::size_t i = 0; i < count; ++i)
        ASSERT_LT(contacts[i].depth, 20 * (sunk + in_wall)) << &soup - bodies.data() << ' ' << k;
    }
  }
}

// A fixed bug: of the walls around a point, the fourth largest was the last between which ways were looked
// for.
TEST(NookTest, PointsLeaveBetweenAnyOfTheWalls) {
  const std::array<std::vector<double>, 3> planes{{{0, 0.321429, 0.376814, 0.443492, 0.480968, 0.528959},
                                                   {0, 0.0571722, 0.3909291492, 0.628111, 0.710469, 1.180614},
                                                   {0, 0.367231, 0.675308, 1.15727361863, 1.441709}}};
  constexpr const char* kFilled[4][5] = {{"11111", "11111", "11111", "11111", "11111"},
                                         {"01111", "01111", "01100", "01100", "00010"},
                                         {"11000", "11100", "01100", "01000", "11001"},
                                         {"00000", "00100", "01101", "10000", "00010"}};
  const Soup cells = test::cellSoup(
      planes, [&](std::size_t x, std::size_t y, std::size_t z) { return kFilled[z][y][x] == '1'; });
  const MeshPtr nook = cells.buildMerged();
  ASSERT_TRUE(nook->isSolid());
  constexpr double kEdge = 0.4828268, kWidth = 0.134118547, kHalf = 0.1072948376;
  const Soup ell = test::cellSoup({{{0, kWidth, kEdge}, {-kHalf, kHalf}, {0, kWidth, kEdge}}},
                                  [](std::size_t x, std::size_t, std::size_t z) { return x * z == 0; });
  const MeshPtr body = ell.buildMerged();
  for (const double sunk : {0.0, 1e-9, 1e-7, 1e-6, 8e-6}) {
    const Pose pose{{}, {-0.154406859816, 0.2836429010424 + sunk, 1.1572736186 - sunk}};
    std::array<Contact, 64> contacts;
    const std::size_t count = collide(*nook, {}, *body, pose, contacts);
    for (std::size_t i = 0; i < count; ++i) EXPECT_LT(contacts[i].depth, 1e-4) << sunk;
  }
}

}  // namespace
}  // namespace odemesh
