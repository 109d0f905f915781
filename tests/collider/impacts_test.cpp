// Impacts within a step, against closed forms of simple motions.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <odemesh/motion.hpp>
#include <random>

#include "motion/sweep.hpp"
#include "moving_bodies.hpp"
#include "test_meshes.hpp"

namespace odemesh::test {
namespace {

TEST(Impacts, OfACubeThatFallsFlatOnAPlate) {
  const Impacts impacts = impactsOf(*kCube, at({0, 0, 0.61}, {0, 0, -50}), *kPlate, still(), 1.0 / 60);
  ASSERT_GE(impacts.size(), 5U);  // four corners and the centre
  EXPECT_NEAR(impacts.front().time, 0.5 / 50, 1e-12);
  int corners = 0;
  for (const Impact& i : impacts) {
    expectNear(i.normal, {0, 0, 1}, 1e-12);
    if (std::abs(i.gap - 0.5) < 1e-9 && std::abs(std::abs(i.position.x * i.position.y) - 0.01) < 1e-9)
      ++corners;
  }
  EXPECT_EQ(corners, 4);
}

// A fixed bug: centres that came at a plate by less than 12 degrees were let through.
TEST(Impacts, KeepACentreThatWouldPassAtAGrazingAngle) {
  const MeshPtr needle = boxSoup({0.1, 0.004, 0.004}).build();
  for (const double sine : {0.02, 0.05, 0.1, 0.15, 0.19}) {
    const Vec3 velocity = Vec3{std::sqrt(1 - sine * sine), 0, -sine} / sine;
    for (const double past : {0.9, 1.1}) {
      const Vec3 centre{0, 0, 0.01 + 0.01 / past};
      const Impacts impacts = impactsOf(*needle, at(centre, velocity), *kPlate, still(), 0.01);
      const auto guard = std::ranges::find_if(impacts, &Impact::is_guard);
      ASSERT_EQ(guard != impacts.end(), past > 1) << sine << ' ' << past;
      if (past > 1) expectNear(guard->position, {centre.x, centre.y, 0.01}, 1e-12);
    }
  }
}

TEST(Impacts, OfEdgesThatCross) {
  const MeshPtr bar = boxSoup({2, 0.2, 0.2}).build();
  // Both bars stand on an edge, one across the other.
  const double s = std::numbers::sqrt2 / 2;
  const Mat3 about_x{{{1, 0, 0}, {0, s, -s}, {0, s, s}}};
  const Mat3 across{{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}};
  Motion moving = at({0.03, 0.02, 1}, {0, 0, -100});
  moving.pose.rotation = about_x;
  Motion fixed = still();
  fixed.pose.rotation = across * about_x;
  const Impacts impacts = impactsOf(*bar, moving, *bar, fixed, 1.0 / 60);
  ASSERT_FALSE(impacts.empty());
  const double gap = 1 - 0.2 * std::numbers::sqrt2;
  EXPECT_NEAR(impacts.front().time, gap / 100, 1e-9);
  EXPECT_NEAR(impacts.front().gap, gap, 1e-9);
  expectNear(impacts.front().normal, {0, 0, 1}, 1e-9);
  EXPECT_NEAR(impacts.front().position.x, 0, 1e-9);
  EXPECT_NEAR(impacts.front().position.y, 0.02, 1e-9);
}

// Symmetry puts vertices on vertices and edges along edges, so that no vertex comes down inside a face.
TEST(Impacts, OfTipsThatMeet) {
  const MeshPtr octahedron = sphereSoup(0.1, 4, 2).build();
  const Impacts impacts = impactsOf(*octahedron, at({0, 0, 0.21}, {0, 0, -3}), *octahedron, at({}), 1.0 / 60);
  ASSERT_FALSE(impacts.empty());
  EXPECT_NEAR(impacts.front().gap, 0.01, 1e-9);
  expectNear(impacts.front().normal, {0, 0, 1}, 1e-6);
}

TEST(Impacts, OfEdgesThatLieAlongEachOther) {
  const double s = std::numbers::sqrt2 / 2;
  const Mat3 on_edge{{{1, 0, 0}, {0, s, -s}, {0, s, s}}};
  for (const double shift : {0.0, 0.03}) {
    Motion falling = at({shift, 0, 0.29}, {0, 0, -3}), fixed = still();
    falling.pose.rotation = fixed.pose.rotation = on_edge;
    const Impacts impacts = impactsOf(*kCube, falling, *kCube, fixed, 1.0 / 60);
    ASSERT_GE(impacts.size(), 2U) << shift;
    Vec3 push;
    for (const Impact& i : impacts) push += i.normal;
    expectNear(normalised(push), {0, 0, 1}, 1e-9);
    EXPECT_NEAR(impacts.front().gap, 0.29 - 0.2 * std::numbers::sqrt2, 1e-9);
  }
}

TEST(Impacts, OfCubesThatAreFlushAreAtTheirCorners) {
  for (const Vec3 shift : {Vec3{0, 0, 0}, Vec3{0.05, 0, 0}, Vec3{-0.05, 0.1, 0}}) {
    const Vec3 above = shift + Vec3{0, 0, 0.21};
    const Impacts impacts = impactsOf(*kCube, at(above, {0, 0, -3}), *kCube, still(), 1.0 / 60);
    std::array<bool, 4> has_corner{};
    for (const Impact& i : impacts) {
      expectNear(i.normal, {0, 0, 1}, 1e-9);
      const Vec3 corner = i.position - 0.5 * shift;
      if (std::abs(std::abs(corner.x) - (0.1 - 0.5 * std::abs(shift.x))) < 1e-9 &&
          std::abs(std::abs(corner.y) - (0.1 - 0.5 * std::abs(shift.y))) < 1e-9)
        has_corner[std::size_t(corner.x < 0) * 2 + std::size_t(corner.y < 0)] = true;
    }
    for (const bool has : has_corner) EXPECT_TRUE(has) << shift.x << " " << shift.y;
  }
}

// The inner side of a ring is hollow along it: no vertex comes before its neighbours, but ridges cross.
TEST(Impacts, OfRingsThatHangInEachOtherAtTheirVertices) {
  std::vector<std::array<double, 2>> outline;
  for (int i = 0; i < 8; ++i) {
    const double angle = i * std::numbers::pi / 4;
    outline.push_back({0.1 + 0.02 * std::cos(angle), 0.02 * std::sin(angle)});
  }
  const MeshPtr ring = revolvedSoup(outline, 12).build();
  const Mat3 axis_along_x{{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}},
      axis_along_y{{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}};
  Motion upper = still(), lower = at({0, 0, -0.159}, {0, 0, -3});
  upper.pose.rotation = axis_along_x;
  lower.pose.rotation = axis_along_y;
  const Impacts impacts = impactsOf(*ring, lower, *ring, upper, 1.0 / 60);
  ASSERT_FALSE(impacts.empty());
  Vec3 push;
  for (const Impact& i : impacts) {
    if (i.gap > 0.0011) continue;
    EXPECT_GT(i.normal.z, 0.9);
    push += i.normal;
  }
  expectNear(normalised(push), {0, 0, 1}, 0.02);
}

TEST(Impacts, AreTheSameUnderARigidMotionAndSwapped) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 20; ++round) {
    Motion moving = at({0.1, -0.2, 0.5}, {3, -2, -60}, {5, -8, 3});
    moving.pose.rotation = randomRotation(random);
    const Impacts plain = impactsOf(*kCube, moving, *kPlate, still(), 1.0 / 60);
    ASSERT_FALSE(plain.empty());
    const Pose frame{randomRotation(random), {30, -20, 10}};
    Motion moved = moving, ground = still();
    for (Motion* m : {&moved, &ground}) {
      m->pose = frame * m->pose;
      m->centre = frame.apply(m->centre);
      m->velocity = frame.rotate(m->velocity);
      m->spin = frame.rotate(m->spin);
    }
    const Impacts turned = impactsOf(*kPlate, ground, *kCube, moved, 1.0 / 60);
    ASSERT_FALSE(turned.empty());
    EXPECT_NEAR(turned.front().time, plain.front().time, 1e-9);
    EXPECT_NEAR(turned.front().gap, plain.front().gap, 1e-9);
    expectNear(turned.front().normal, -frame.rotate(plain.front().normal), 1e-9);
    expectNear(turned.front().position, frame.apply(plain.front().position), 1e-6);
  }
}

TEST(Impacts, OfASpinningBarComeFromItsEnd) {
  const MeshPtr bar = boxSoup({1, 0.02, 0.02}).build();
  // It turns about y, and its end comes down on the plate at an angle of about asin(0.3 / 0.5).
  const Motion moving = at({0, 0, 0.31}, {}, {0, 60, 0});
  const Impacts impacts = impactsOf(*bar, moving, *kPlate, still(), 1.0 / 60);
  ASSERT_FALSE(impacts.empty());
  EXPECT_NEAR(impacts.front().time, std::asin(0.3 / 0.5) / 60, 0.03 / 60);
  expectNear(impacts.front().normal, {0, 0, 1}, 1e-12);
  EXPECT_GT(impacts.front().position.x, 0.4);
}

// A fixed bug: what met the plate at the end of a part of the step, and without the forces in the next one,
// had none, and came down by a quarter of the bar's length.
TEST(Impacts, OfATumblingBarComeAboutAtAnyTimeOfTheStep) {
  const MeshPtr bar = boxSoup({0.6, 0.1, 0.1}).build();
  for (int i = 0; i < 190; ++i) {
    // The lower corner of its end is at the plate then. Later in the step, it comes on by no more than the
    // forces bring.
    const double dt = 1.0 / 60, spin = 20, time = dt * (i + 0.5) / 200, angle = 0.2;
    Motion m = at({}, {5, 0, -0.5}, {0, spin, 0});
    m.pose.rotation = rotationBy({0, angle, 0});
    const Vec3 corner = m.at(time).apply({0.3, 0, -0.05});
    m.pose.translation.z = m.centre.z = 0.01 - corner.z;
    m.gain = {0, 0, -9.81 * dt};
    EXPECT_FALSE(impactsOf(*bar, m, *kPlate, still(), dt).empty()) << i;
  }
}

// A fixed bug: in the frame of what spins, the way of what flies past bends by 50 mm, and counted as
// straight. The ball around a flyer stays above a cube that stands askew, or its middle comes through that.
TEST(Impacts, OfWhatSpinsOnItsWayAreThoseThatComeAbout) {
  const MeshPtr flyer = boxSoup({0.16, 0.08, 0.06}).build();
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int told = 0, not_told = 0;
  for (int i = 0; i < 400; ++i) {
    Motion cube = at({}),
           m = at({}, {0, 50, 0}, Vec3{uniform(random), uniform(random), uniform(random)} * 15);
    cube.pose.rotation = randomRotation(random);
    m.pose.rotation = randomRotation(random);
    const auto impactsAt = [&](double height) {
      m.pose.translation = m.centre = {0.05 * uniform(random), -0.42, height};
      return impactsOf(*kCube, cube, *flyer, m, 1.0 / 60);
    };
    double top = 0;
    for (const Vec3& v : kCube->vertices()) top = std::max(top, cube.pose.apply(v).z);
    told += int(!impactsAt(top + 1.05 * flyer->sphereRadius()).empty());
    not_told += int(impactsAt(0).empty());
  }
  EXPECT_EQ(told, 0);
  EXPECT_EQ(not_told, 0);
}

TEST(Impacts, HaveNoneWhatSlidesPartsOrStaysAway) {
  const MeshPtr ground = boxSoup({20, 20, 1}, 40).build();
  for (const double overlap : {0.0, 1e-7, 1e-4}) {
    const Vec3 resting{-9.3, 0.123, 0.6 - overlap};
    EXPECT_TRUE(impactsOf(*kCube, at(resting, {100, 3, 0}), *ground, still(), 1.0 / 60).empty()) << overlap;
    EXPECT_TRUE(impactsOf(*kCube, at(resting, {100, 3, -0.16}), *ground, still(), 1.0 / 60).empty());
    EXPECT_TRUE(impactsOf(*kCube, at(resting, {10, 0, 90}), *ground, still(), 1.0 / 60).empty());
  }
  EXPECT_TRUE(impactsOf(*kCube, at({0, 0, 5}, {0, 0, -100}), *ground, still(), 1.0 / 60).empty());
  EXPECT_TRUE(impactsOf(*kCube, at({0, 0, 0.601}, {0, 0, -1}), *ground, still(), 1.0 / 60).empty());
}

// What falls 30 mm and comes by 1 to 4 mm nearer to a free body at its side may not take it along.
TEST(Impacts, ThatGrazePushToTheSide) {
  const auto impactsAt = [](double speed) {
    const Motion falling = at({0.201, 0.01, 0.03}, {-speed, 0, -5});
    return impactsOf(*kCube, falling, *kCube, at({}), 1.0 / 60);
  };
  const Impacts impacts = impactsAt(0.4);
  ASSERT_FALSE(impacts.empty());
  for (const Impact& impact : impacts) expectNear(impact.normal, {1, 0, 0}, 1e-9);
  // Discrete contacts cope with a twentieth of the thickness, whatever comes along the surface.
  EXPECT_TRUE(impactsAt(0.2).empty());
}

// A fixed bug: where neighbouring faces are almost in one plane, edges on the far side of the second mesh
// were met on the way out of it.
TEST(Impacts, OfRingsThatPassThroughEachOtherAreTheSameSwapped) {
  std::vector<std::array<double, 2>> circle;
  for (int i = 0; i < 24; ++i) {
    const double angle = 2 * std::numbers::pi * i / 24;
    circle.push_back({1 + 0.4 * std::cos(angle), 0.4 * std::sin(angle)});
  }
  const MeshPtr ring = revolvedSoup(circle, 48).build();
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&] { return Vec3{number(random), number(random), number(random)}; };
  std::size_t found = 0;
  for (int i = 0; i < 200; ++i) {
    Motion flying = at(normalised(vector()) * 1.6, vector() * 2), other = at({}, -flying.velocity);
    for (Motion* motion : {&flying, &other}) motion->pose.rotation = rotationBy(vector() * 3);
    const Impacts impacts = impactsOf(*ring, flying, *ring, other, 1);
    const Impacts swapped = impactsOf(*ring, other, *ring, flying, 1);
    ASSERT_EQ(impacts.size(), swapped.size()) << i;
    for (std::size_t k = 0; k < impacts.size(); ++k) {
      EXPECT_NEAR(impacts[k].time, swapped[k].time, 1e-9) << i;
      expectNear(impacts[k].normal, -swapped[k].normal, 1e-6);
    }
    found += impacts.size();
  }
  EXPECT_GT(found, 200U);
}

/// Those that findImpactsIfStopped finds.
[[nodiscard]] Impacts impactsIfStopped(const Motion& motion1, const Motion& motion2) {
  std::array<Impact, 16> out;
  const std::size_t count = findImpactsIfStopped(*kCube, motion1, *kCube, motion2, 1.0 / 60, out);
  return {out.begin(), out.begin() + std::ptrdiff_t(count)};
}

TEST(ImpactsIfStopped, AreThoseOfWhatFollowsClosely) {
  for (const double speed : {0.3, 3.0}) {
    const Motion above = at({0, 0, 0.201}, {0, 0, -speed}), below = at({}, {0, 0, -speed});
    EXPECT_TRUE(impactsOf(*kCube, above, *kCube, below, 1.0 / 60).empty());
    const Impacts impacts = impactsIfStopped(above, below);
    ASSERT_GE(impacts.size(), 4U) << speed;
    for (const Impact& i : impacts)
      if (!i.is_guard) {
        expectNear(i.normal, {0, 0, 1}, 1e-9);
        EXPECT_NEAR(i.gap, 0.001, 1e-9);
      }
    // Whichever is in front: what flies up is followed by the lower one.
    EXPECT_GE(impactsIfStopped(at({0, 0, 0.201}, {0, 0, speed}), at({}, {0, 0, speed})).size(), 4U);
  }
}

TEST(ImpactsIfStopped, AreNoneBesideEachOtherOrFarBehindOrOfWhatHardlyMoves) {
  const Motion falling = at({}, {0, 0, -3});
  EXPECT_TRUE(impactsIfStopped(at({0.201, 0, 0}, {0, 0, -3}), falling).empty());
  EXPECT_TRUE(impactsIfStopped(at({0, 0, 0.26}, {0, 0, -3}), falling).empty());
  EXPECT_TRUE(impactsIfStopped(at({0, 0, 0.201}, {0, 0, -0.1}), at({}, {0, 0, -0.1})).empty());
}

// Nothing stops what is fixed, and what meets anyway is for findImpacts or discrete contacts.
TEST(ImpactsIfStopped, AreNoneOfWhatIsFixedOrMeetsAnyway) {
  Motion fixed = at({}, {0, 0, -3});
  fixed.is_fixed = true;
  EXPECT_TRUE(impactsIfStopped(at({0, 0, 0.201}, {0, 0, -3}), fixed).empty());
  EXPECT_TRUE(impactsIfStopped(at({0, 0, 0.201}, {0, 0, -0.4}), at({}, {0, 0, 0.4})).empty());
}

TEST(Impacts, WithAPlaneAreThoseOfItsCorners) {
  std::array<Impact, 16> out;
  const std::size_t count =
      findImpactsWithPlane(*kCube, at({0, 0, 1.1}, {0, 0, -80}), {0, 0, 1}, 0, 1.0 / 60, out);
  ASSERT_GE(count, 4U);
  EXPECT_NEAR(out[0].time, 1.0 / 80, 1e-12);
  EXPECT_NEAR(out[0].gap, 1, 1e-12);
}

TEST(Impacts, HaveNoneForWhatIsNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, inf, -inf}) {
    EXPECT_TRUE(impactsOf(*kCube, at({0, 0, 1}, {0, 0, bad}), *kPlate, still(), 1).empty());
    EXPECT_TRUE(impactsOf(*kCube, at({bad, 0, 1}, {0, 0, -9}), *kPlate, still(), 1).empty());
    EXPECT_TRUE(impactsOf(*kCube, at({0, 0, 1}, {0, 0, -9}, {bad, 0, 0}), *kPlate, still(), 1).empty());
  }
  for (const double huge : {1e30, 1e200, 1e300})
    for (const Impact& i : impactsOf(*kCube, at({0, 0, 1}, {0, 0, -huge}, {huge, 0, 0}), *kPlate, still(), 1))
      EXPECT_TRUE(isFinite(i.position) && isFinite(i.normal) && std::isfinite(i.gap));
  for (const double dt : {nan, inf, 0.0, -1.0})
    EXPECT_TRUE(impactsOf(*kCube, at({0, 0, 1}, {0, 0, -9}), *kPlate, still(), dt).empty());
}

TEST(CentreGuards, HoldACentreThatAPlateHasCutUpTo) {
  std::array<Impact, 2> out;
  // The cube's centre is 5 cm above the plate, its inner radius 10 cm.
  ASSERT_EQ(findCentreGuards(*kCube, at({0.3, 0, 0.06}), *kPlate, still(), out), 1U);
  expectNear(out[0].normal, {0, 0, 1}, 1e-12);
  EXPECT_EQ(findCentreGuards(*kCube, at({0.3, 0, 0.11}), *kPlate, still(), out), 0U);
  EXPECT_EQ(findCentreGuards(*kCube, at({0.3, 0, 0.005}), *kPlate, still(), out), 0U);
  ASSERT_EQ(findCentreGuards(*kPlate, still(), *kCube, at({0.3, 0, -0.06}), out), 1U);
  expectNear(out[0].normal, {0, 0, 1}, 1e-12);
}

}  // namespace
}  // namespace odemesh::test
