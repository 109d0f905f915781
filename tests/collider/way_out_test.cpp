// The direction of contacts where the extent of the overlap alone is misleading: tips, thin plates, sheets on
// edge, and bodies stuck through a plate.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <odemesh/collide.hpp>
#include <span>

#include "motion/sweep.hpp"
#include "test_contacts.hpp"
#include "test_meshes.hpp"

namespace odemesh {
namespace {

using test::boxSoup;
using test::crackSoup;
using test::deepestAlong;
using test::deepestOf;
using test::MeshPtr;
using test::Point2;
using test::prismSoup;
using test::Soup;
using test::wedgeSoup;

Soup tetrahedronSoup(double width, double height) {
  const Vec3 a{0, 0, 0}, b{width, 0, 0}, c{0.5 * width, 0.9 * width, 0}, d{0.5 * width, 0.3 * width, height};
  return test::tetrahedronSoup(a, c, b, d);
}

Soup sheetSoup() {
  Soup out;
  out.addTriangle({-0.3, -0.3, 0}, {0.3, -0.3, 0}, {0.3, 0.3, 0});
  out.addTriangle({-0.3, -0.3, 0}, {0.3, 0.3, 0}, {-0.3, 0.3, 0});
  return out;
}

double lowestOf(const Mesh& mesh, const Mat3& rotation) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const Vec3& v : mesh.vertices()) lowest = std::min(lowest, (rotation * v).z);
  return lowest;
}

/// A body of any shape that dips into the middle of a large slab is pushed up by its depth, whatever its
/// pose.
void expectPushedOutOfASlab(const MeshPtr& mesh, const std::vector<double>& depths, const char* what) {
  const MeshPtr slab = boxSoup({4, 4, 0.5}).build();
  std::mt19937_64 random(5);
  for (int i = 0; i < 600; ++i) {
    const double depth = depths[static_cast<std::size_t>(i) % depths.size()];
    Pose pose = test::randomPose(random, 1);
    pose.translation.z = -lowestOf(*mesh, pose.rotation) - depth;
    std::array<Contact, 64> contacts;
    const std::size_t count = collide(*mesh, pose, *slab, Pose{{}, {0, 0, -0.25}}, contacts);
    ASSERT_GT(count, 0U) << what << ", pose " << i;
    double deepest = 0;
    for (std::size_t k = 0; k < count; ++k) {
      EXPECT_GT(contacts[k].normal.z, 0.9998) << what << ", pose " << i << ", depth " << depth;
      deepest = std::max(deepest, contacts[k].depth);
    }
    EXPECT_NEAR(deepest, depth, 0.02 * depth + 1e-6) << what << ", pose " << i;
  }
}

TEST(WayOutTest, TipsAndPlatesArePushedOutOfASlab) {
  const std::vector<double> depths{1e-5, 1e-4, 1e-3, 1e-2, 5e-2};
  expectPushedOutOfASlab(tetrahedronSoup(1, 0.8).build(), depths, "tetrahedron");
  expectPushedOutOfASlab(tetrahedronSoup(0.1, 0.8).build(), {1e-5, 1e-4, 1e-3}, "spike");
  expectPushedOutOfASlab(boxSoup({0.6, 0.4, 0.3}).build(), depths, "box");
  expectPushedOutOfASlab(boxSoup({0.6, 0.6, 0.01}).build(), depths, "plate");
  expectPushedOutOfASlab(test::sphereSoup(0.3, 12, 8).build(), depths, "ball");
}

TEST(WayOutTest, SheetsArePushedOutOfASlabWhicheverWayTheyCome) {
  expectPushedOutOfASlab(sheetSoup().build(), {1e-4, 1e-3, 1e-2, 5e-2}, "sheet");
}

/// Sunk a little into both walls of a crack, in any slightly turned pose, a wedge is held by both or pushed
/// up between them: not along the crack, nor down, and by no more than what lifts it out.
TEST(WayOutTest, AWedgeIsPushedUpOutOfACrack) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> share(0, 1);
  const auto between = [&](double lo, double hi) { return lo + (hi - lo) * share(random); };
  for (int i = 0; i < 300; ++i) {
    const double half = between(0.06, 0.3), height = between(0.4, 0.8), fit = between(0.6, 1);
    const MeshPtr crack = crackSoup(half, height).build();
    const MeshPtr wedge =
        wedgeSoup(0.6 * half * (i % 2 == 0 ? 1 : fit), 0.6 * height, between(0.3, 0.9)).build();
    const Vec3 x = normalised(Vec3{1, between(-0.01, 0.01), between(-0.01, 0.01)});
    const Vec3 z = normalised(cross(x, Vec3{between(-0.01, 0.01), 1, between(-0.01, 0.01)}));
    Pose pose{{{x, cross(z, x), z}}, {}};
    // How far it has to be lifted until both walls let go.
    double lift = -1;
    for (const Vec3& v : wedge->vertices()) {
      const Vec3 p = pose.apply(v);
      lift = std::max(lift, std::abs(p.x) * height / half - p.z);
    }
    const double sunk = between(1e-3, 1e-2);
    pose.translation.z += lift - sunk;

    std::array<Contact, 64> contacts;
    const std::size_t count = collide(*wedge, pose, *crack, {}, contacts);
    ASSERT_GT(count, 0U) << "pose " << i;
    double deepest = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const Contact& c = contacts[k];
      EXPECT_GT(c.normal.z, 0.01) << "pose " << i << ", contact " << k << " of " << count;
      EXPECT_LT(std::abs(c.normal.y), 0.1) << "pose " << i << ", contact " << k << " of " << count;
      EXPECT_LT(c.depth, 1.01 * sunk + 1e-6) << "pose " << i << ", contact " << k << " of " << count;
      deepest = std::max(deepest, c.depth);
    }
    // Off a wall it is that much less than straight up.
    EXPECT_GT(deepest, 0.4 * sunk * half / std::hypot(half, height)) << "pose " << i;
  }
}

/// Is there a contact that pushes `point` off a wall by nearly its `depth`, no farther from it than `reach`?
bool isHeld(std::span<const Contact> contacts, const Vec3& point, const Vec3& wall, double depth,
            double reach) {
  return std::ranges::any_of(contacts, [&](const Contact& c) {
    return dot(c.normal, wall) > 0.99 && length(c.position - point) < reach && c.depth > 0.9 * depth;
  });
}

/// The upper corners of a wedge lean over its sides: a ray from the wall below them, along its normal, starts
/// above the wedge, and they were taken for those of another layer. Held at its lower edge alone, it turned
/// and sank through the crack.
TEST(WayOutTest, AWedgeThatFitsItsCrackIsHeldAtAllItsCorners) {
  std::mt19937_64 random(23);
  std::uniform_real_distribution<double> share(-1, 1);
  const double height = 0.6;
  int looked_at = 0;
  for (int i = 0; i < 300; ++i) {
    const double half = 0.2 + 0.1 * share(random), sunk = half * (0.03 + 0.025 * share(random));
    const MeshPtr crack = crackSoup(half, height).build();
    const MeshPtr wedge = wedgeSoup(0.8 * half, 0.8 * height, 0.6).build();
    const Vec3 lean = Vec3{share(random), share(random), share(random)} * (0.7 * sunk);
    const Vec3 x = normalised(Vec3{1, lean.z, lean.y}), z = normalised(cross(x, Vec3{-lean.z, 1, lean.x}));
    const Pose pose{{{x, cross(z, x), z}}, {0, 0, -sunk * std::hypot(half, height) / half}};
    std::array<Contact, 64> contacts;
    const std::span found(contacts.data(), collide(*wedge, pose, *crack, {}, contacts));
    for (const double side : {-1.0, 1.0}) {
      const Vec3 wall = normalised(Vec3{-side * height, 0, half});
      for (const Vec3& v : wedge->vertices()) {
        const Vec3 p = pose.apply(v);
        const double depth = -dot(wall, p);
        if (side * v.x < 0 || depth < 0.6 * sunk) continue;
        ++looked_at;
        EXPECT_TRUE(isHeld(found, p, wall, depth, 0.1)) << "pose " << i << ", wall " << side;
      }
    }
  }
  EXPECT_GT(looked_at, 1800);
}

/// A wedge that is narrower than its crack by `slack` radians on either side, leans on one wall by all but
/// `off` of that, and is sunk by `sunk`.
Pose leaningInCrack(double slack, double off, double sunk) {
  return {rotationBy({0, slack - off, 0}), {0, 0, -sunk}};
}

/// Its tip stands in the corner of two walls, and one of them meets it nowhere else. What it weighs pressed
/// the tip between them with many times that, and under QuickStep it trembled without end.
TEST(WayOutTest, ATipInACornerIsCarriedBetweenTheWalls) {
  std::mt19937_64 random(31);
  std::uniform_real_distribution<double> share(-1, 1);
  const double height = 0.6;
  for (int i = 0; i < 300; ++i) {
    const double angle = 0.22 + 0.12 * share(random), fit = 0.75 + 0.2 * share(random);
    const double half = height * std::tan(angle), top = 0.8 * height * std::tan(fit * angle);
    const MeshPtr crack = crackSoup(half, height).build(), wedge = wedgeSoup(top, 0.8 * height, 0.6).build();
    const double sunk = std::pow(10, -5 + share(random));
    const Pose pose = leaningInCrack((1 - fit) * angle, 1e-5 * share(random), sunk);
    std::array<Contact, 64> contacts;
    const std::span found(contacts.data(), collide(*wedge, pose, *crack, {}, contacts));
    for (const double end : {-0.3, 0.3})
      EXPECT_TRUE(std::ranges::any_of(found,
                                      [&](const Contact& c) {
                                        return c.normal.z > 0.95 && c.depth > 0 && c.depth < sunk &&
                                               length(c.position - Vec3{0, end, 0}) < 0.01;
                                      }))
          << "pose " << i << ", end " << end;
  }
}

/// The same between more walls, of which no two have to be steep: on its way out of all of them.
TEST(WayOutTest, ATipInAPitIsCarriedBetweenItsWalls) {
  std::mt19937_64 random(43);
  std::uniform_real_distribution<double> share(-1, 1);
  for (const int sides : {3, 4, 6}) {
    const double at = std::numbers::pi / sides, slope = std::cos(at);
    int carried = 0;
    for (int i = 0; i < 100; ++i) {
      const double wide = 0.28 + 0.05 * share(random), narrow = 0.17 + 0.04 * share(random);
      const MeshPtr pit =
          test::revolvedSoup({{0, -0.3}, {1, -0.3}, {1, 0.5}, {0.5 * wide, 0.5}, {0, 0}}, sides).build();
      const MeshPtr peg = test::revolvedSoup({{0, 0}, {0.4 * narrow, 0.4}, {0, 0.4}}, sides).build();
      const double lean = std::atan(wide * slope) - std::atan(narrow * slope) + 1e-5 * share(random);
      const double sunk = std::pow(10, -4.5 + 0.5 * share(random));
      const Pose pose{rotationBy(Vec3{-std::sin(at), std::cos(at), 0} * lean), {0, 0, -sunk}};
      std::array<Contact, 64> contacts;
      const std::span found(contacts.data(), collide(*peg, pose, *pit, {}, contacts));
      carried += std::ranges::any_of(found, [](const Contact& c) { return c.normal.z > 0.95; });
      EXPECT_TRUE(std::ranges::any_of(found, [](const Contact& c) { return c.normal.z < 0.5; }))
          << sides << " sides, pose " << i;
    }
    EXPECT_GT(carried, 95) << sides << " sides";
  }
}

/// What lies along both walls is held by friction with all that it is pressed with.
TEST(WayOutTest, AWedgeThatFitsItsCrackIsHeldByItsWallsAlone) {
  std::mt19937_64 random(37);
  std::uniform_real_distribution<double> share(-1, 1);
  for (int i = 0; i < 300; ++i) {
    const double half = 0.14 + 0.07 * share(random), sunk = std::pow(10, -5 + share(random));
    const MeshPtr crack = crackSoup(half, 0.6).build(), wedge = wedgeSoup(0.8 * half, 0.48, 0.6).build();
    std::array<Contact, 64> contacts;
    const std::span found(contacts.data(), collide(*wedge, leaningInCrack(0, 0, sunk), *crack, {}, contacts));
    ASSERT_GE(found.size(), 8U) << "pose " << i;
    for (const Contact& c : found) EXPECT_GT(std::abs(c.normal.x), 0.9) << "pose " << i;
  }
}

/// Along the area vector of what a wedge overlaps that leans on one wall, the other one is in the way,
/// however little it overlaps.
TEST(WayOutTest, AWedgeThatLeansInItsCrackIsHeldByBothWalls) {
  std::mt19937_64 random(41);
  std::uniform_real_distribution<double> share(-1, 1);
  const double height = 0.6, angle = std::atan(0.23 / 0.6), top_angle = 0.6 * angle;
  const MeshPtr crack = crackSoup(0.23, height).buildMerged();
  const MeshPtr wedge = wedgeSoup(0.48 * std::tan(top_angle), 0.48, 0.6).buildMerged();
  for (int i = 0; i < 2000; ++i) {
    const double sunk = 5e-4 * (1 + 0.8 * share(random)), off = 5e-4 * share(random);
    Pose pose = leaningInCrack(angle - top_angle, off, sunk);
    pose.translation.x = sunk * (0.12 * share(random) - 0.08);
    std::array<Contact, 64> contacts;
    const std::span found(contacts.data(), collide(*wedge, pose, *crack, {}, contacts));
    for (const double side : {-1.0, 1.0})
      EXPECT_TRUE(std::ranges::any_of(found, [&](const Contact& c) { return side * c.normal.x > 0.9; }))
          << "pose " << i << ", wall " << side;
  }
}

/// The same where the walls of a pit meet.
TEST(WayOutTest, ATaperedPegThatFitsItsPitIsHeldAtAllItsCorners) {
  std::mt19937_64 random(29);
  std::uniform_real_distribution<double> share(-1, 1);
  for (const int sides : {4, 6}) {
    const MeshPtr pit =
        test::revolvedSoup({{0, -0.3}, {1.3, -0.3}, {1.3, 0.5}, {0.7, 0.5}, {0.15, -0.05}, {0, -0.05}}, sides)
            .build();
    const MeshPtr peg = test::revolvedSoup({{0, 0}, {0.2, 0}, {0.6, 0.4}, {0, 0.4}}, sides).build();
    ASSERT_TRUE(pit->isSolid() && peg->isSolid());
    const double half_angle = std::numbers::pi / sides, slope = std::cos(half_angle);
    for (int i = 0; i < 40; ++i) {
      const double sunk = 2e-3 + 1e-3 * share(random);
      Pose pose{{}, {0.3 * sunk * share(random), 0.3 * sunk * share(random), -2 * sunk}};
      pose.rotation = rotationBy(Vec3{share(random), share(random), share(random)} * (0.5 * sunk));
      std::array<Contact, 64> contacts;
      const std::span found(contacts.data(), collide(*peg, pose, *pit, {}, contacts));
      for (int side = 0; side < sides; ++side) {
        const double at = half_angle * (2 * side + 1);
        const Vec3 wall = normalised(Vec3{-std::cos(at), -std::sin(at), slope});
        const Vec3 of_wall = Vec3{std::cos(at), std::sin(at), 0} * (0.2 * slope);
        for (const Vec3& v : peg->vertices()) {
          const Vec3 p = pose.apply(v);
          const double depth = dot(wall, of_wall) - dot(wall, p);
          if (std::hypot(v.x, v.y) < 0.1 || depth < 0.8 * sunk) continue;
          EXPECT_TRUE(isHeld(found, p, wall, depth, 0.05))
              << sides << " sides, pose " << i << ", wall " << side;
        }
      }
    }
  }
}

/// A prism along y between two curves of `count` + 1 points each, which share their places.
template <typename Under, typename Over>
Soup shellSoup(const Under& under, const Over& over, int count, double length) {
  std::vector<Point2> outline;
  for (int i = 0; i <= count; ++i) outline.push_back(under(i));
  for (int i = count; i >= 0; --i) outline.push_back(over(i));
  std::vector<std::array<std::size_t, 3>> ends;
  const std::size_t last = outline.size() - 1;
  for (std::size_t i = 0; i < std::size_t(count); ++i) {
    ends.push_back({i, i + 1, last - i - 1});
    ends.push_back({i, last - i - 1, last - i});
  }
  return prismSoup(outline, ends, length);
}

/// Half a pipe along y, open at the top, of `segments` flat strips with a ridge line at the bottom, the y
/// axis.
Soup gutterSoup(double radius, double wall, int segments, double length) {
  const auto rim = [&](double r) {
    return [=](int i) {
      const double angle = std::numbers::pi * (1 + double(i) / segments);
      return Point2{r * std::cos(angle), radius + r * std::sin(angle)};
    };
  };
  return shellSoup(rim(radius + wall), rim(radius), segments, length);
}

/// Waves along y, 0.3 high, of flat strips 0.15 wide, with ridges between them.
Soup waveSoup(double length) {
  const auto x = [](int i) { return -3 + 0.15 * i; };
  return shellSoup(
      [&](int i) {
        return Point2{x(i), -2};
      },
      [&](int i) {
        return Point2{x(i), -0.15 + 0.15 * std::cos(3 * x(i))};
      },
      40, length);
}

/// What lies on a long prism along y can't be nearer to its way out by moving along it: no contact pushes it
/// that way, be it made of facets or of corners, and none is deeper than what lifts it out. `mesh` is sunk by
/// up to a tenth and up to once `deepest`.
template <typename Turn>
void expectNoPushAlong(const MeshPtr& prism, const MeshPtr& mesh, double scale, double deepest,
                       const Turn& turn, const char* what) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> place(-2, 2), sunk(0.1 * deepest, deepest);
  for (int i = 0; i < 100; ++i) {
    Pose pose{turn(random), {0, place(random) * scale, 2 * scale}};
    double low = 0, high = 2 * scale;  // as far as it comes down
    const auto touches = [&](double fall) {
      Pose lower = pose;
      lower.translation.z -= fall;
      std::array<Contact, 1> contact;
      return collide(*mesh, lower, *prism, {}, contact) > 0;
    };
    for (int k = 0; k < 30; ++k) (touches(0.5 * (low + high)) ? high : low) = 0.5 * (low + high);
    const double depth = sunk(random) * scale;
    pose.translation.z -= low + depth;
    std::array<Contact, 64> contacts;
    const std::size_t count = collide(*mesh, pose, *prism, {}, contacts);
    ASSERT_GT(count, 0U) << what << ", pose " << i;
    for (std::size_t k = 0; k < count; ++k) {
      EXPECT_LT(std::abs(contacts[k].normal.y), 1e-3) << what << ", pose " << i;
      EXPECT_LT(contacts[k].depth, 1.01 * depth + 2e-5 * scale) << what << ", pose " << i;
    }
  }
}

TEST(WayOutTest, NothingIsPushedAlongAGutter) {
  const auto expectIn = [](const MeshPtr& mesh, double scale, const char* what) {
    const MeshPtr gutter = gutterSoup(1.2 * scale, 0.4 * scale, 24, 60 * scale).build();
    const auto turn = [&](std::mt19937_64& random) { return test::randomPose(random, scale).rotation; };
    expectNoPushAlong(gutter, mesh, scale, 1e-2, turn, what);
  };
  expectIn(test::sphereSoup(0.5, 12, 8).build(), 1, "ball");
  expectIn(test::sphereSoup(5e-4, 12, 8).build(), 1e-3, "small ball");
  expectIn(test::sphereSoup(0.5, 24, 16).build(), 1, "fine ball");
  expectIn(boxSoup({0.5, 0.4, 0.3}).build(), 1, "box");
}

/// A pyramid about the z axis.
Soup pyramidSoup(int sides, double radius, double low, double high) {
  Soup soup;
  soup.vertices = {{0, 0, low}, {0, 0, high}};
  for (int i = 0; i < sides; ++i) {
    const double angle = 2 * std::numbers::pi * i / sides;
    soup.vertices.push_back({radius * std::cos(angle), radius * std::sin(angle), low});
    const auto here = std::uint32_t(2 + i), next = std::uint32_t(2 + (i + 1) % sides);
    soup.indices.insert(soup.indices.end(), {0, next, here, 1, here, next});
  }
  return soup;
}

/// A face of an edge that lies on a ridge may look almost the same way as the two edges part.
TEST(WayOutTest, NoEdgeIsPushedAlongARidge) {
  const MeshPtr waves = waveSoup(60).build();
  const auto turn = [](std::mt19937_64& random) { return test::randomPose(random, 1).rotation; };
  expectNoPushAlong(waves, pyramidSoup(8, 0.5, -0.3, 0.7).build(), 1, 1e-4, turn, "pyramid of eight sides");
  expectNoPushAlong(waves, pyramidSoup(4, 0.5, -0.3, 0.7).build(), 1, 1e-4, turn, "pyramid of four sides");
}

/// The end of a bar that has come out on the far side of a slab has to come back through all of it.
TEST(WayOutTest, ABarThroughASlabIsAsDeepAsItsFarEnd) {
  const MeshPtr slab = boxSoup({2, 2, 0.2}).build();
  const MeshPtr bar = boxSoup({0.2, 0.2, 0.6}).build();
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> tilt(-0.3, 0.3), beyond(0.01, 0.08);
  for (int i = 0; i < 200; ++i) {
    const Vec3 x = normalised(Vec3{1, tilt(random), tilt(random)});
    const Vec3 z = normalised(cross(x, Vec3{tilt(random), 1, tilt(random)}));
    Pose pose{{{x, cross(z, x), z}}, {}};
    const double depth = 0.2 + beyond(random);
    pose.translation.z = 0.1 - lowestOf(*bar, pose.rotation) - depth;
    std::array<Contact, 64> contacts;
    const std::size_t count = collide(*bar, pose, *slab, {}, contacts);
    ASSERT_GT(count, 0U) << "pose " << i;
    EXPECT_GT(contacts[0].normal.z, 0.9999) << "pose " << i;
    EXPECT_NEAR(contacts[0].depth, depth, 0.01 * depth) << "pose " << i;
  }
}

/// A body that sticks through a thin plate goes back to the side on which its middle is.
void expectDrawnOutOfAPlate(const MeshPtr& mesh, const char* what) {
  const MeshPtr plate = boxSoup({20, 20, 0.02}).build();
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> height(-0.1, 0.1);
  int through = 0, wrong = 0, shallow = 0;
  for (int i = 0; i < 1000; ++i) {
    Pose pose = test::randomPose(random, 1);
    pose.translation.z = height(random);
    const double z = pose.translation.z;
    const double low = z + lowestOf(*mesh, pose.rotation);
    const double high = 2 * z - low;  // the bodies are symmetric
    if (low > -0.02 || high < 0.02 || std::abs(z) < 0.01) continue;
    std::array<Contact, 64> contacts;
    const std::size_t count = collide(*mesh, pose, *plate, Pose{}, contacts);
    double push = 0, deepest = 0;
    for (std::size_t k = 0; k < count; ++k) {
      push += contacts[k].normal.z;
      deepest = std::max(deepest, contacts[k].depth);
    }
    ++through;
    wrong += push * z <= 0 ? 1 : 0;
    const double way = 0.01 + (z > 0 ? -low : high);
    shallow += std::abs(deepest - way) > 0.02 * way ? 1 : 0;
  }
  EXPECT_GT(through, 500) << what;
  EXPECT_EQ(wrong, 0) << what;
  EXPECT_EQ(shallow, 0) << what;
}

TEST(WayOutTest, BodiesThroughAPlateGoBackToTheSideOfTheirMiddle) {
  expectDrawnOutOfAPlate(boxSoup({0.2, 0.15, 0.1}).build(), "box");
  expectDrawnOutOfAPlate(boxSoup({0.3, 0.06, 0.06}).build(), "bar");
  expectDrawnOutOfAPlate(test::sphereSoup(0.1, 12, 8).build(), "ball");
  // Its edges are shorter than the plate is thick.
  expectDrawnOutOfAPlate(test::sphereSoup(0.1, 48, 24).build(), "fine ball");
}

/// However little of a body comes out at the other side of a plate, there is contact.
TEST(WayOutTest, WhatMeetsAPlateIsNeverLost) {
  const MeshPtr plate = boxSoup({20, 20, 0.02}).build();
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> out(-0.009, 0.006);
  for (const MeshPtr& mesh : {boxSoup({0.2, 0.15, 0.1}).build(), boxSoup({0.3, 0.06, 0.06}).build()})
    for (int i = 0; i < 1500; ++i) {
      Pose pose = test::randomPose(random, 0.5);
      pose.translation.z = -0.01 - out(random) - lowestOf(*mesh, pose.rotation);
      std::array<Contact, 64> contacts;
      ASSERT_GT(collide(*mesh, pose, *plate, Pose{}, contacts), 0U) << i;
    }
}

/// A cube of 2 m around (0, 0, 1) with its inside out, so that bodies may lie in it; with or without its top.
Soup roomSoup(bool has_top) {
  const Soup box = boxSoup({2, 2, 2});
  Soup out;
  for (std::size_t i = 0; i < box.indices.size(); i += 3) {
    const Vec3 up{0, 0, 1};
    const Vec3 &a = box.vertices[i], &b = box.vertices[i + 1], &c = box.vertices[i + 2];
    if (has_top || std::min({a.z, b.z, c.z}) < 0) out.addTriangle(a + up, c + up, b + up);
  }
  return out;
}

/// No face behind a floor or wall leads out of it sideways. Returns how many of 1,000 poses between a floor
/// and a wall lack a contact that answers one of them.
int lostInCorners(const MeshPtr& mesh, const MeshPtr& room) {
  const Vec3 wall{0, -1, 0}, floor{0, 0, 1};
  const Mat3 wall_down{{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}};
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(0, 1);
  int lost = 0;
  for (int i = 0; i < 1000; ++i) {
    const double into_floor = 1e-3 + 0.02 * uniform(random), into_wall = 1e-3 + 0.02 * uniform(random);
    Pose pose = test::randomPose(random, 1);
    pose.translation = {uniform(random) - 0.5, 1 + into_wall + lowestOf(*mesh, wall_down * pose.rotation),
                        -into_floor - lowestOf(*mesh, pose.rotation)};
    std::array<Contact, 64> contacts;
    const std::size_t count = collide(*mesh, pose, *room, Pose{}, contacts);
    const std::span<const Contact> found(contacts.data(), count);
    if (deepestAlong(found, floor) < 0.3 * into_floor || deepestAlong(found, wall) < 0.3 * into_wall) ++lost;
  }
  return lost;
}

TEST(WayOutTest, BodiesAreKeptInTheCornersOfARoom) {
  for (const bool has_top : {false, true}) {
    const MeshPtr room = roomSoup(has_top).build();
    EXPECT_EQ(lostInCorners(boxSoup({0.3, 0.3, 0.3}).build(), room), 0);
    Soup open_box = boxSoup({0.3, 0.3, 0.3});
    open_box.indices.resize(open_box.indices.size() - 6);
    EXPECT_EQ(lostInCorners(open_box.build(), room), 0);
    // A few lie so deep in one of the two that the other one is forgotten.
    EXPECT_LE(lostInCorners(tetrahedronSoup(0.4, 0.3).build(), room), 5);
  }
}

/// What lies wholly under a floor leaves through it, though the body goes on above it elsewhere.
TEST(WayOutTest, APieceInTheFloorOfATrayLeavesUpwards) {
  const MeshPtr tray = prismSoup({{-1, -0.4}, {1, -0.4}, {1, 2}, {0.8, 2}, {0.8, 0}, {-1, 0}},
                                 {{0, 1, 4}, {0, 4, 5}, {1, 2, 3}, {1, 3, 4}}, 2)
                           .build();
  const MeshPtr piece = boxSoup({0.02, 0.02, 0.02}).build();
  std::array<Contact, 64> contacts;
  for (const bool swapped : {false, true}) {
    const Pose at{{}, {-0.3, 0.1, -0.03}};
    const std::size_t count =
        swapped ? collide(*tray, Pose{}, *piece, at, contacts) : collide(*piece, at, *tray, Pose{}, contacts);
    ASSERT_GT(count, 0U);
    for (std::size_t i = 0; i < count; ++i)
      EXPECT_NEAR(contacts[i].normal.z, swapped ? -1 : 1, 1e-9) << "swapped " << swapped;
    EXPECT_NEAR(contacts[0].depth, 0.04, 1e-5);
  }
}

/// Convex bodies that are pushed along the deepest contact, a little at a time, part without going back and
/// forth.
TEST(WayOutTest, ConvexBodiesDeepInEachOtherAreNotLocked) {
  const MeshPtr brick = boxSoup({0.6, 0.3, 0.15}).build(), ball = test::sphereSoup(0.25, 24, 12).build();
  std::mt19937_64 random(3);
  for (int i = 0; i < 300; ++i) {
    Pose pose = test::randomPose(random, 0.1);
    const Pose other = test::randomPose(random, 0.1);
    const MeshPtr& mesh = i % 2 == 0 ? brick : ball;
    std::array<Contact, 64> contacts;
    int steps = 0;
    while (steps < 100 && collide(*mesh, pose, *brick, other, contacts) > 0) {
      pose.translation += 0.01 * contacts[0].normal;
      ++steps;
    }
    EXPECT_LT(steps, 60) << "pose " << i;
  }
}

// A fixed bug: what left an angle past an edge was told how thick the overlap is, 8 to 30% less than the way
// out.
TEST(WayOutTest, WhatLeavesAnAnglePastAnEdgeIsToldTheWholeWay) {
  const MeshPtr angle =
      prismSoup({{-0.5, -0.5}, {0.5, -0.5}, {0.5, -0.3}, {-0.3, -0.3}, {-0.3, 0.5}, {-0.5, 0.5}},
                {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}, 0.5)
          .build();
  const MeshPtr tip = tetrahedronSoup(0.6, 0.7).build();
  ASSERT_TRUE(angle->isSolid() && !angle->isConvex());
  const Pose poses[] = {
      {nearestRotation(
           {{{0.1351, -0.3761, -0.9167}, {-0.7898, -0.5995, 0.1296}, {-0.5983, 0.7065, -0.3780}}}),
       {-0.5751, 0.2692, -0.1412}},
      {nearestRotation({{{-0.5312, 0.5126, 0.6746}, {0.3597, 0.8573, -0.3682}, {-0.7671, 0.0471, -0.6398}}}),
       {-0.6343, -0.1189, -0.2588}},
      {nearestRotation(
           {{{-0.8561, -0.4085, -0.3166}, {0.5168, -0.6744, -0.5274}, {0.0019, -0.6151, 0.7885}}}),
       {0.9978, -0.1425, -0.2483}},
      {nearestRotation(
           {{{0.3592, -0.0865, -0.9293}, {-0.7663, -0.5957, -0.2407}, {-0.5327, 0.7986, -0.2802}}}),
       {0.2430, 0.7513, -0.1288}},
      {nearestRotation({{{0.5972, 0.6377, 0.4865}, {-0.4224, 0.7657, -0.4851}, {-0.6818, 0.0842, 0.7266}}}),
       {-1.0468, -0.3552, 0.5221}},
      {nearestRotation(
           {{{-0.4005, -0.2851, 0.8708}, {-0.7613, 0.6324, -0.1431}, {-0.5099, -0.7203, -0.4703}}}),
       {-0.5024, -0.2382, -0.2754}}};
  for (const Pose& pose : poses)
    for (const bool is_tip_first : {true, false}) {
      std::array<Contact, 64> room;
      const auto contacts = std::span(room).first(is_tip_first ? collide(*tip, pose, *angle, {}, room)
                                                               : collide(*angle, {}, *tip, pose, room));
      ASSERT_FALSE(contacts.empty());
      const Vec3 way = contacts.front().normal * (is_tip_first ? 1.02 : -1.02) * contacts.front().depth;
      EXPECT_FALSE(intersects(*tip, {pose.rotation, pose.translation + way}, *angle, {})) << way.x;
      EXPECT_TRUE(intersects(*tip, {pose.rotation, pose.translation + 0.95 * way}, *angle, {})) << way.x;
    }
}

/// A cup of 0.5 m, 0.15 m wide at its bottom and 0.25 m at its rim.
Soup cupSoup(int segments, double wall) {
  const Point2 outline[] = {{0, 0},   {0.15, 0}, {0.25, 0.5}, {0.25 - wall, 0.5}, {0.15 - wall, wall},
                            {0, wall}};
  const auto at = [&](int i, int k) {
    const double angle = 2 * std::numbers::pi * (k % segments) / segments;
    return Vec3{outline[i].x * std::cos(angle), outline[i].x * std::sin(angle), outline[i].z};
  };
  Soup out;
  for (int k = 0; k < segments; ++k)
    for (int i = 0; i < 5; ++i) {
      if (i < 4) out.addTriangle(at(i, k), at(i + 1, k + 1), at(i + 1, k));
      if (i > 0) out.addTriangle(at(i, k), at(i, k + 1), at(i + 1, k + 1));
    }
  return out;
}

double deepestOfTwo(const MeshPtr& mesh, const Pose& second) {
  std::array<Contact, 64> contacts;
  return deepestOf(std::span(contacts).first(collide(*mesh, Pose{}, *mesh, second, contacts)));
}

/// A cup in a cup leaves its walls by their thickness or what it is behind them, not by its own length, also
/// where edges have come through.
TEST(WayOutTest, CupsInCupsLeaveEachOthersWallsByTheShortWay) {
  constexpr double kWall = 0.004;
  const MeshPtr cup = cupSoup(24, kWall).build();
  ASSERT_TRUE(cup->isSolid());
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < 200; ++i) {
    const double towards = 2 * std::numbers::pi * uniform(random), off = 0.01 * uniform(random);
    const Vec3 across{std::cos(towards), std::sin(towards), 0};
    const Mat3 lean = rotationBy(across * (0.03 * uniform(random))),
               turn = rotationBy({0, 0, uniform(random)});
    // Coaxial walls touch at a shift of 0.024.
    const Vec3 shift{off * across.y, off * across.x, 0.024 + 0.02 * uniform(random)};
    EXPECT_LT(deepestOfTwo(cup, {lean * turn, shift}), 3 * kWall) << "pose " << i;
  }
}

/// What bends around a body and touches it with no overlap yet has no way to go.
TEST(WayOutTest, CupsThatTouchInCupsAreNotDeep) {
  const auto deepest = [](int segments, const Vec3& rotation, const Vec3& shift) {
    return deepestOfTwo(cupSoup(segments, 0.002).build(), {rotationBy(rotation), shift});
  };
  EXPECT_LT(deepest(8, {-0.0004814, 0.0004261, -0.0001043}, {-0.0000168, -0.0000069, 0.0120065}), 1e-4);
  EXPECT_LT(deepest(8, {0.0007767, -0.0000028, 0.0000913}, {0.0000064, 0.0000263, 0.0119483}), 1e-4);
  EXPECT_LT(deepest(24, {0.0006858, 0.0003584, -0.0001584}, {0.0000022, 0.0000194, 0.0120279}), 1e-4);
}

}  // namespace
}  // namespace odemesh
