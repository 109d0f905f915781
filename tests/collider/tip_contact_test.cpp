// What presses in with a rounded tip carries in one point, the middle of what it overlaps.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <odemesh/collide.hpp>
#include <odemesh/distance.hpp>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "contact/patch/layer_centre.hpp"
#include "motion/sweep.hpp"
#include "test_meshes.hpp"

namespace odemesh {
namespace {

using test::boxSoup;
using test::MeshPtr;
using test::sphereSoup;

/// What a body has on the top of a slab at height 0, and on a plane there, with normals up.
[[nodiscard]] std::array<std::vector<Contact>, 2> onSlabAndPlane(const Mesh& body, const Pose& pose) {
  const MeshPtr slab = boxSoup({6, 6, 1}).build();
  std::vector<Contact> on_slab(16), on_plane(16);
  on_slab.resize(collide(body, pose, *slab, {{}, {0, 0, -0.5}}, on_slab));
  on_plane.resize(collidePlane(body, pose, {0, 0, 1}, 0, on_plane));
  return {on_slab, on_plane};
}

/// A ball of radius 1 in some orientation, its lowest point `depth` below the top of a slab at height 0.
struct BallInSlab {
  MeshPtr slab = boxSoup({6, 6, 1}).build();
  MeshPtr ball;
  Pose slab_pose{{}, {0, 0, -0.5}};
  Pose ball_pose;

  BallInSlab(const Mat3& rotation, double depth) : ball(sphereSoup(1, 24, 12).build()) {
    double lowest = 0;
    for (const Vec3& v : ball->vertices()) lowest = std::min(lowest, (rotation * v).z);
    ball_pose = {rotation, {0.3, 0.2, -lowest - depth}};
  }

  [[nodiscard]] std::vector<Contact> contacts(const Pose& frame = {}, double margin = 0) const {
    std::vector<Contact> out(64);
    out.resize(collide(*slab, frame * slab_pose, *ball, frame * ball_pose, out, nullptr, margin));
    return out;
  }

  /// The height of the ball's underside over (x, y), 0 where it is above the slab.
  [[nodiscard]] double depthAt(double x, double y) const {
    double depth = 0;
    for (std::uint32_t t = 0; t < ball->triangleCount(); ++t) {
      const std::uint32_t* corner = ball->corners(t);
      const Vec3 a = ball_pose.apply(ball->vertices()[corner[0]]);
      const Vec3 b = ball_pose.apply(ball->vertices()[corner[1]]) - a;
      const Vec3 c = ball_pose.apply(ball->vertices()[corner[2]]) - a;
      const double area = b.x * c.y - b.y * c.x;
      const double s = ((x - a.x) * c.y - (y - a.y) * c.x) / area;
      const double r = (b.x * (y - a.y) - b.y * (x - a.x)) / area;
      if (s >= 0 && r >= 0 && s + r <= 1) depth = std::max(depth, -(a.z + s * b.z + r * c.z));
    }
    return depth;
  }

  /// The middle of the overlap, by adding up columns.
  [[nodiscard]] Vec3 middle(double reach, int columns) const {
    Vec3 sum;
    double volume = 0;
    for (int i = 0; i < columns; ++i)
      for (int j = 0; j < columns; ++j) {
        const double x = 0.3 + reach * ((2 * i + 1.0) / columns - 1);
        const double y = 0.2 + reach * ((2 * j + 1.0) / columns - 1);
        const double depth = depthAt(x, y);
        sum += Vec3{x, y, 0} * depth;
        volume += depth;
      }
    return sum / volume;
  }
};

TEST(ContactTip, LiesInTheMiddleOfTheOverlap) {
  std::mt19937_64 random(3);
  int tips = 0;
  for (int round = 0; round < 8; ++round) {
    const BallInSlab scene(test::randomRotation(random), 0.1);
    const std::vector<Contact> contacts = scene.contacts();
    if (contacts.size() != 1) continue;
    ++tips;
    const Vec3 middle = scene.middle(0.6, 60);
    EXPECT_NEAR(contacts[0].position.x, middle.x, 1e-3) << round;
    EXPECT_NEAR(contacts[0].position.y, middle.y, 1e-3) << round;
    EXPECT_NEAR(contacts[0].depth, 0.1, 1e-6) << round;
    EXPECT_NEAR(contacts[0].normal.z, -1, 1e-12) << round;
  }
  EXPECT_GE(tips, 4);
}

// The corners of its two triangles on top are 14,000 times as far away as what overlaps is wide.
TEST(ContactTip, LiesInTheMiddleOnAHugeSlab) {
  std::mt19937_64 random(3);
  BallInSlab scene(test::randomRotation(random), 0.1);
  scene.slab = boxSoup({1e4, 1e4, 1}).build();
  const std::vector<Contact> contacts = scene.contacts();
  ASSERT_EQ(contacts.size(), 1U);
  const Vec3 middle = scene.middle(0.6, 60);
  EXPECT_NEAR(contacts[0].position.x, middle.x, 1e-3);
  EXPECT_NEAR(contacts[0].position.y, middle.y, 1e-3);
}

TEST(ContactTip, IsTheSameWithAMargin) {
  std::mt19937_64 random(3);
  int tips = 0;
  for (int round = 0; round < 8; ++round) {
    const BallInSlab scene(test::randomRotation(random), 0.1);
    const std::vector<Contact> plain = scene.contacts(), contacts = scene.contacts({}, 0.05);
    if (plain.size() != 1) continue;
    ++tips;
    ASSERT_FALSE(contacts.empty());
    EXPECT_EQ(contacts[0].position, plain[0].position) << round;
    EXPECT_EQ(contacts[0].depth, plain[0].depth) << round;
    for (std::size_t i = 1; i < contacts.size(); ++i) EXPECT_LT(contacts[i].depth, 0) << round;
  }
  EXPECT_GE(tips, 4);
}

TEST(ContactTip, LiesInTheMiddleOfWhatIsBelowAPlane) {
  std::mt19937_64 random(3);
  int tips = 0;
  for (int round = 0; round < 8; ++round) {
    const BallInSlab scene(test::randomRotation(random), 0.1);
    std::vector<Contact> contacts(16);
    contacts.resize(collidePlane(*scene.ball, scene.ball_pose, {0, 0, 1}, 0, contacts));
    if (contacts.size() != 1) continue;
    ++tips;
    const Vec3 middle = scene.middle(0.6, 60);
    EXPECT_NEAR(contacts[0].position.x, middle.x, 1e-3) << round;
    EXPECT_NEAR(contacts[0].position.y, middle.y, 1e-3) << round;
    EXPECT_NEAR(contacts[0].position.z, -0.05, 1e-6) << round;
    EXPECT_NEAR(contacts[0].depth, 0.1, 1e-6) << round;
    EXPECT_EQ(contacts[0].normal.z, 1) << round;
  }
  EXPECT_GE(tips, 4);
}

// Of which only some vertices and faces are looked at.
TEST(ContactTip, OfAFineBallLiesUnderItsCentre) {
  const MeshPtr ball = sphereSoup(1, 160, 80).build();
  const MeshPtr slab = boxSoup({6, 6, 1}).build();
  std::mt19937_64 random(4);
  for (int round = 0; round < 8; ++round) {
    const Pose pose{test::randomRotation(random), {0.3, 0.2, 0.98}};
    const Pose above{test::randomRotation(random), {0.3, 0.2, 2.94}};
    std::vector<Contact> on_plane(16), on_slab(16), on_ball(16);
    on_plane.resize(collidePlane(*ball, pose, {0, 0, 1}, 0, on_plane));
    on_slab.resize(collide(*ball, pose, *slab, {{}, {0, 0, -0.5}}, on_slab));
    on_ball.resize(collide(*ball, above, *ball, pose, on_ball));
    for (const auto& contacts : {on_plane, on_slab, on_ball}) {
      ASSERT_EQ(contacts.size(), 1U);
      EXPECT_NEAR(contacts[0].position.x, 0.3, 2e-3);
      EXPECT_NEAR(contacts[0].position.y, 0.2, 2e-3);
    }
  }
}

/// A gutter of sheet of radius 0.5 along y, whose strips look at its axis.
[[nodiscard]] MeshPtr sheetGutter(int strips) {
  test::Soup out;
  const auto at = [&](int i, double y) {
    const double angle = std::numbers::pi * (1.2 + 0.6 * i / strips);
    return Vec3{0.5 * std::cos(angle), y, 0.5 * std::sin(angle)};
  };
  for (int i = 0; i < strips; ++i) {
    out.addTriangle(at(i, -0.5), at(i + 1, -0.5), at(i + 1, 0.5));
    out.addTriangle(at(i, -0.5), at(i + 1, 0.5), at(i, 0.5));
  }
  return out.buildMerged();
}

// A fixed bug: the way out of a hollow of sheet was measured across all that overlaps, by as much longer as
// the hollow bends there, and tips kept up to 13 contacts around them, which stop what rolls: of these 100,
// at 64 strips 35 and at 256 strips 96. (One that stands on a flat of its own keeps the corners of that.)
TEST(ContactTip, OfABallInAGutterOfSheetIsOneContact) {
  const MeshPtr ball = sphereSoup(0.05, 192, 96).buildMerged();
  for (const int strips : {64, 256}) {
    const MeshPtr gutter = sheetGutter(strips);
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> both(-1, 1);
    int many = 0;
    for (int i = 0; i < 100; ++i) {
      const double angle = 0.4 * both(random), from_axis = 0.45 + 1e-4 * (1 + 0.5 * both(random));
      const Pose pose{test::randomRotation(random), Vec3{std::sin(angle), 0, -std::cos(angle)} * from_axis +
                                                        Vec3{0, 0.1 * both(random), 0}};
      std::array<Contact, 16> contacts;
      const std::size_t count = collide(*ball, pose, *gutter, {}, contacts);
      ASSERT_GT(count, 0U);
      many += count > 1;
    }
    EXPECT_LE(many, 5) << strips;
  }
}

TEST(ContactTip, MovesWithTheBodies) {
  std::mt19937_64 random(5);
  const BallInSlab scene(test::randomRotation(random), 0.05);
  const Contact at_home = scene.contacts().at(0);
  for (int round = 0; round < 10; ++round) {
    const Pose frame = test::randomPose(random, 20);
    const std::vector<Contact> moved = scene.contacts(frame);
    ASSERT_EQ(moved.size(), scene.contacts().size());
    EXPECT_LT(length(moved[0].position - frame.apply(at_home.position)), 1e-9);
  }
}

TEST(ContactTip, KeepsItsCornersAtRest) {
  // On its pole, with the first ring around it 0.00005 higher.
  const MeshPtr ball = sphereSoup(1, 12, 320).build();
  const BallInSlab scene({}, 0.05);
  const auto count = [&](const Mesh& mesh, double height) {
    std::vector<Contact> out(64);
    return collide(*scene.slab, scene.slab_pose, mesh, {{}, {0.3, 0.2, height}}, out);
  };
  EXPECT_GE(count(*ball, 1 - 0.00008), 4U);
  for (const double depth : {0.00015, 0.0015, 0.0025}) EXPECT_EQ(count(*ball, 1 - depth), 1U) << depth;
  const MeshPtr box = boxSoup({1, 1, 1}).build();
  for (const double depth : {1e-4, 0.02, 0.1}) EXPECT_EQ(count(*box, 0.5 - depth), 4U) << depth;
}

// Of a plate with a boss below, the plate carries as soon as it touches, though the boss is much deeper. As
// it leans, what is between may be above the plane.
TEST(ContactTip, ABossUnderAPlateIsNone) {
  for (const double boss : {0.01, 0.04}) {
    const MeshPtr plate =
        test::revolvedSoup({{0, -boss}, {0.3, -boss}, {0.3, 0}, {1, 0}, {1, 0.2}, {0, 0.2}}, 8).build();
    for (const auto& [depth, lean] :
         {std::pair(1.2, 0.0), std::pair(2.5, 0.0), std::pair(1.5, 0.1), std::pair(0.5, 1.0)}) {
      SCOPED_TRACE(testing::Message() << boss << " high, " << depth << " deep, leaning by " << lean);
      const double angle = lean * boss, c = std::cos(angle), s = std::sin(angle);
      const Pose pose{{{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}}, {0, 0, (1 - depth) * boss}};
      for (const auto& contacts : onSlabAndPlane(*plate, pose)) {
        EXPECT_GE(contacts.size(), 4U);
        EXPECT_TRUE(std::ranges::any_of(contacts, [](const Contact& k) { return k.position.x > 0.9; }));
      }
    }
  }
}

// A ring that lies carries all around, not in its middle, where there is nothing.
TEST(ContactTip, ALyingRingIsNone) {
  std::vector<std::array<double, 2>> outline;
  for (int i = 0; i < 12; ++i) {
    const double angle = 2 * std::numbers::pi * i / 12;
    outline.push_back({1 + 0.1 * std::sin(angle), -0.1 * std::cos(angle)});
  }
  const MeshPtr ring = test::revolvedSoup(outline, 24).build();
  for (const double lean : {0.0, 0.003}) {
    const double c = std::cos(lean), s = std::sin(lean);
    const Pose pose{{{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}}, {0, 0, 0.07}};
    for (const auto& contacts : onSlabAndPlane(*ring, pose))
      for (const Vec3& way : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, -1, 0}})
        EXPECT_TRUE(
            std::ranges::any_of(contacts, [&](const Contact& k) { return dot(k.position, way) > 0.8; }))
            << lean << ", " << contacts.size() << " contacts";
  }
}

/// A body that lies along y on the top of a slab, or of a plane, at height 0, its lowest point `depth` below,
/// and turned about its own axis.
struct LyingInGround {
  MeshPtr body;
  double turn, depth;

  [[nodiscard]] Pose pose() const {
    // z to -y, y to z, after a turn about z
    const double c = std::cos(turn), s = std::sin(turn);
    const Mat3 rotation{{{c, -s, 0}, {0, 0, -1}, {s, c, 0}}};
    double lowest = 0;
    for (const Vec3& v : body->vertices()) lowest = std::min(lowest, (rotation * v).z);
    return {rotation, {0.3, 0.2, -lowest - depth}};
  }

  /// Of the slab and of the plane, with normals up.
  [[nodiscard]] std::array<std::vector<Contact>, 2> contacts() const { return onSlabAndPlane(*body, pose()); }
};

void expectBothEnds(const std::vector<Contact>& contacts, double half, double tolerance, double depth) {
  ASSERT_EQ(contacts.size(), 2U);
  const bool is_first_right = contacts[0].position.y > 0.2;
  EXPECT_NEAR(contacts[is_first_right ? 0 : 1].position.y, 0.2 + half, tolerance);
  EXPECT_NEAR(contacts[is_first_right ? 1 : 0].position.y, 0.2 - half, tolerance);
  for (const Contact& c : contacts) {
    EXPECT_NEAR(c.depth, depth, 1e-6);
    EXPECT_NEAR(c.normal.z, 1, 1e-12);
  }
}

TEST(ContactRidge, OfALyingCylinderCarriesAtBothEnds) {
  int ridges = 0;
  for (const int sides : {24, 48, 200})
    for (const double turn : {0.0, 0.05, 0.3}) {
      const std::vector<std::array<double, 2>> outline{{0, -1.5}, {1, -1.5}, {1, 1.5}, {0, 1.5}};
      const LyingInGround scene{
          .body = test::revolvedSoup(outline, sides).build(), .turn = turn, .depth = 0.05};
      for (const std::vector<Contact>& contacts : scene.contacts()) {
        SCOPED_TRACE(testing::Message() << sides << " sides, turned by " << turn);
        if (contacts.size() > 2) continue;  // nearly on a face, which keeps its corners
        ++ridges;
        expectBothEnds(contacts, 1.5, 1e-6, 0.05);
        // The middle of what overlaps is nearer to the axis than half a side.
        for (const Contact& c : contacts) EXPECT_NEAR(c.position.x, 0.3, 1.5 / sides);
        EXPECT_NEAR(contacts[0].position.x, contacts[1].position.x, 1e-9);
      }
    }
  EXPECT_GE(ridges, 14);
}

TEST(ContactRidge, OfALyingCapsuleCarriesAtBothEnds) {
  std::vector<std::array<double, 2>> outline;
  for (int i = 0; i <= 24; ++i) {
    const double angle = std::numbers::pi * (i / 24.0 - 0.5);
    outline.push_back({i == 0 || i == 24 ? 0 : std::cos(angle), std::sin(angle) + (i < 12 ? -1.5 : 1.5)});
    if (i == 12) outline.insert(outline.end() - 1, {1, -1.5});
  }
  const LyingInGround scene{.body = test::revolvedSoup(outline, 48).build(), .turn = 0, .depth = 0.02};
  for (const std::vector<Contact>& contacts : scene.contacts()) expectBothEnds(contacts, 1.5, 0.1, 0.02);
}

// A fixed bug: contacts at both ends, 0.87 times as deep as its belly, and none there.
TEST(ContactRidge, OfABarrelIsATip) {
  std::vector<std::array<double, 2>> outline{{0, -1}};
  for (int i = 0; i <= 16; ++i) {
    const double z = i / 8.0 - 1;
    outline.push_back({1 - 0.003 * z * z, z});
  }
  outline.push_back({0, 1});
  const MeshPtr barrel = test::revolvedSoup(outline, 32).build();
  ASSERT_TRUE(barrel->isSolid());
  const Mat3 lying{{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}};
  const double half = std::numbers::pi / 32;
  const Mat3 on_a_side{
      {{std::cos(half), -std::sin(half), 0}, {std::sin(half), std::cos(half), 0}, {0, 0, 1}}};
  for (const double depth : {0.005, 0.01}) {
    const Pose pose{lying * on_a_side, {0, 0, std::cos(half) - depth}};
    for (const std::vector<Contact>& contacts : onSlabAndPlane(*barrel, pose)) {
      ASSERT_EQ(contacts.size(), 1U) << depth;
      EXPECT_NEAR(contacts[0].depth, depth, 1e-6);
    }
  }
}

// A fixed bug: as a wheel of flat sides came down on one of them, its contacts went to the corners of that,
// one of them ahead of the axle, and it lost a third of its speed on soft ground.
TEST(ContactRidge, OfAWheelOfFlatSidesStaysUnderItsAxle) {
  const MeshPtr slab = boxSoup({6, 6, 1}).build();
  for (const auto& [sides, depth] :
       {std::pair{32, 8e-3}, {48, 5e-3}, {64, 2e-3}, {64, 5e-3}, {256, 3e-4}, {512, 1e-4}})
    for (const double width : {0.04, 0.2, 0.5})
      for (double phase = 0.03; phase < 1; phase += 0.1) {
        const double half = 0.5 * width;
        const MeshPtr wheel =
            test::revolvedSoup({{0, -half}, {0.2, -half}, {0.2, half}, {0, half}}, sides).build();
        Pose pose;
        pose.rotation = rotationBy(Vec3{0, 2 * std::numbers::pi / sides * phase, 0}) *
                        rotationBy(Vec3{0.5 * std::numbers::pi, 0, 0});
        double lowest = 0;
        for (const Vec3& v : wheel->vertices()) lowest = std::min(lowest, (pose.rotation * v).z);
        pose.translation.z = -lowest - depth;
        std::vector<Contact> contacts(16);
        contacts.resize(collide(*wheel, pose, *slab, {{}, {0, 0, -0.5}}, contacts));
        EXPECT_TRUE(contacts.size() == 1 || contacts.size() == 2) << sides << ' ' << width << ' ' << phase;
        for (const Contact& c : contacts)
          EXPECT_LT(std::abs(c.position.x), 2e-3) << sides << ' ' << width << ' ' << phase;
      }
}

// A fixed bug: at rest, with the next sides still above the ground, only one of the wheels had a contact, and
// what stood on both fell to the other side.
TEST(ContactRidge, OfWheelsOnAnAxleCarriesAtBoth) {
  constexpr double kRadius = 0.3, kTrack = 0.9, kWidth = 0.1;
  constexpr int kSides = 512;
  test::Soup wheels;
  for (const double y : {-0.5, 0.5}) {
    const double from = y * kTrack - 0.5 * kWidth, to = from + kWidth;
    wheels.add(test::revolvedSoup({{0, from}, {kRadius, from}, {kRadius, to}, {0, to}}, kSides));
  }
  const MeshPtr mesh = wheels.build();
  const Mat3 lying = rotationBy(Vec3{-0.5 * std::numbers::pi, 0, 0});
  for (const double depth : {1e-7, 1e-6, 9e-6, 1.8e-5, 4e-5, 1e-4, 1e-3}) {
    std::vector<Contact> contacts(16);
    contacts.resize(collidePlane(*mesh, {lying, {0, 0, kRadius - depth}}, {0, 0, 1}, 0, contacts));
    double push = 0, turn = 0;
    for (const Contact& c : contacts) {
      push += c.depth;
      turn += c.depth * c.position.y;
    }
    EXPECT_GE(contacts.size(), 2U) << depth;
    EXPECT_GT(push, 0) << depth;
    EXPECT_LT(std::abs(turn), 1e-3 * push) << depth;
  }
}

// As a wheel leans, the deeper end takes over.
TEST(ContactRidge, ThatLeansIsATip) {
  const std::vector<std::array<double, 2>> outline{{0, -1.5}, {1, -1.5}, {1, 1.5}, {0, 1.5}};
  const LyingInGround scene{.body = test::revolvedSoup(outline, 48).build(), .turn = 0, .depth = 0.05};
  for (const double lean : {0.002, 0.02}) {
    Pose pose = scene.pose();
    const double c = std::cos(lean), s = std::sin(lean);
    pose.rotation = Mat3{{{1, 0, 0}, {0, c, -s}, {0, s, c}}} * pose.rotation;
    std::vector<Contact> contacts(16);
    contacts.resize(collidePlane(*scene.body, pose, {0, 0, 1}, 0, contacts));
    EXPECT_EQ(contacts.size(), lean < 0.01 ? 2U : 1U) << lean;
    EXPECT_LT(contacts[0].position.y, 0.2) << lean;
  }
}

/// How far ahead of the axle, or behind it, the farthest contact of a wheel lies that leans and steers a
/// little: 200 poses of it. What it overlaps reaches 0.14 to 0.28.
[[nodiscard]] double farthestFromAxle(const MeshPtr& wheel) {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> unit(-1, 1);
  double farthest = 0;
  for (int i = 0; i < 200; ++i) {
    const LyingInGround scene{
        .body = wheel, .turn = unit(random) * std::numbers::pi, .depth = 0.025 + 0.015 * unit(random)};
    const double lean = 0.01 * unit(random), steer = 0.05 * unit(random);
    const Mat3 steered = rotationBy({0, 0, steer});
    const Vec3 ahead = steered * Vec3{1, 0, 0};
    Pose pose = scene.pose();
    pose.rotation = steered * rotationBy({lean, 0, 0}) * pose.rotation;
    double lowest = 0;
    for (const Vec3& v : wheel->vertices()) lowest = std::min(lowest, (pose.rotation * v).z);
    pose.translation.z = -lowest - scene.depth;
    for (const auto& contacts : onSlabAndPlane(*wheel, pose)) {
      EXPECT_FALSE(contacts.empty());
      for (const Contact& c : contacts)
        farthest = std::max(farthest, std::abs(dot(c.position - pose.translation, ahead)));
    }
  }
  return farthest;
}

// At the rolling speed, a contact ahead of the axle would kick the wheel up, and the deeper it comes down the
// farther ahead is the next one.
TEST(ContactTip, OfAWheelThatLeansLiesUnderItsAxle) {
  std::vector<std::array<double, 2>> tyre;
  for (int i = 0; i < 16; ++i) {
    const double angle = 2 * std::numbers::pi * i / 16;
    tyre.push_back({0.67 + 0.33 * std::sin(angle), -0.33 * std::cos(angle)});
  }
  const std::vector<std::array<double, 2>> drum{{0, -0.33}, {1, -0.33}, {1, 0.33}, {0, 0.33}};
  EXPECT_LT(farthestFromAxle(test::revolvedSoup(tyre, 128).build()), 0.01);
  EXPECT_LT(farthestFromAxle(test::revolvedSoup(drum, 128).build()), 0.01);
}

// The edge that rises from a corner leans outwards, and has others close by.
TEST(ContactTip, AnEdgeOfACutBoxIsNone) {
  const MeshPtr box = boxSoup({1, 1, 1}, 64).build();
  const Vec3 lowest{0.5, 0.5, -0.5};
  for (const double lean : {0.05, 0.1, 0.2}) {
    Pose pose{rotationBy({-3e-3, 0, 0}) * rotationBy({0, lean, 0}), {0, 0, 0}};
    pose.translation.z = -0.1 - pose.apply(lowest).z;
    const Vec3 corner = pose.apply(lowest);
    for (const auto& contacts : onSlabAndPlane(*box, pose)) {
      EXPECT_GE(contacts.size(), 3U) << lean;
      EXPECT_NEAR(contacts[0].depth, 0.1, 1e-5) << lean;
      EXPECT_NEAR(contacts[0].position.x, corner.x, 1e-6) << lean;
      EXPECT_NEAR(contacts[0].position.y, corner.y, 1e-6) << lean;
    }
  }
}

/// The one that lies nearest in place to `to`.
[[nodiscard]] const Contact& nearestOf(const std::vector<Contact>& contacts, const Vec3& to) {
  return *std::ranges::min_element(contacts, {}, [&](const Contact& c) { return length(c.position - to); });
}

// As on a slab, where each has a patch of its own.
TEST(ContactTip, OnAPlaneEachBallOfADumbbellIsOne) {
  std::vector<std::array<double, 2>> outline;
  for (const double middle : {-1.5, 1.5})
    for (int i = 0; i <= 40; ++i) {
      const double angle = std::numbers::pi * (i / 40.0 - 0.5);
      const bool is_pole = std::abs(middle + std::sin(angle)) > 2.5 - 1e-9;
      if (!is_pole && std::abs(middle + std::sin(angle)) < 0.52) continue;  // within the bar
      outline.push_back({is_pole ? 0 : std::max(std::cos(angle), 0.1), middle + std::sin(angle)});
    }
  const MeshPtr dumbbell = test::revolvedSoup(outline, 80).build();
  ASSERT_FALSE(dumbbell->isConvex());
  for (const double lean : {0.0, 0.01, 0.03})
    for (const double turn : {0.0, 0.02, 0.4}) {
      SCOPED_TRACE(testing::Message() << "leaning by " << lean << ", turned by " << turn);
      const LyingInGround scene{.body = dumbbell, .turn = turn, .depth = 0.1};
      Pose pose = scene.pose();
      pose.rotation = rotationBy({lean, 0, 0}) * pose.rotation;
      const auto [on_slab, on_plane] = onSlabAndPlane(*dumbbell, pose);
      EXPECT_EQ(on_slab.size(), 2U);
      ASSERT_EQ(on_plane.size(), 2U);
      EXPECT_GE(on_plane[0].depth, on_plane[1].depth);
      for (const Contact& contact : on_slab) {
        const Contact& same = nearestOf(on_plane, contact.position);
        EXPECT_LT(length(same.position - contact.position), 1e-3);
        EXPECT_NEAR(same.depth, contact.depth, 1e-4);
      }
    }
}

// Feet without a tip carry at the corners of their common hull.
TEST(ContactTip, OnAPlaneLeavesTheFlatFeetBesideItTheirCorners) {
  test::Soup stool = boxSoup({0.4, 0.4, 1});
  for (const Vec3& at : {Vec3{2, 2, 0}, Vec3{-2, 2, 0}, Vec3{0, -2, 0.5}}) {
    test::Soup foot = at.z > 0 ? sphereSoup(1, 24, 12) : boxSoup({0.4, 0.4, 1});
    foot.transform({{}, at});
    stool.add(foot);
  }
  const MeshPtr mesh = stool.build();
  std::vector<Contact> contacts(32);
  contacts.resize(collidePlane(*mesh, {{}, {0, 0, 0.45}}, {0, 0, 1}, 0, contacts));
  const auto isOfBall = [](const Contact& c) { return c.position.y < -1; };
  EXPECT_EQ(std::ranges::count_if(contacts, isOfBall), 1);
  for (const Vec3& corner :
       {Vec3{2.2, 2.2, 0}, Vec3{-2.2, 2.2, 0}, Vec3{-0.2, -0.2, 0}, Vec3{0.2, -0.2, 0}}) {
    const Contact& nearest = nearestOf(contacts, corner);
    EXPECT_NEAR(nearest.position.x, corner.x, 1e-6);
    EXPECT_NEAR(nearest.position.y, corner.y, 1e-6);
  }
}

// A fixed bug: two or more parts of which none is a tip were one together, and had one contact between them.
TEST(ContactTip, OnAPlaneIsNotInTheAirBetweenFeet) {
  for (const unsigned seed : {172U, 1040U, 2110U, 7595U}) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> offset(-1, 1);
    test::Soup feet;
    for (unsigned k = 0; k < 2 + seed % 5; ++k) {
      test::Soup foot = seed % 3 == 0   ? sphereSoup(0.3, 6, 4)
                        : seed % 3 == 1 ? boxSoup({0.3, 0.4, 0.5})
                                        : sphereSoup(0.4, 4, 2);
      foot.transform({test::randomRotation(random), {}});
      foot.transform({{}, {1.5 * offset(random), 1.5 * offset(random), 0.3 * offset(random)}});
      feet.add(foot);
    }
    const MeshPtr mesh = feet.build();
    double lowest = 0;
    for (const Vec3& v : mesh->vertices()) lowest = std::min(lowest, v.z);
    std::vector<CastHit> hits;
    for (int i = 1; i <= 30; ++i) {
      const Pose pose{{}, {0, 0, -lowest - 0.01 * i}};
      std::array<Contact, 16> contacts;
      const std::size_t count = collidePlane(*mesh, pose, {0, 0, 1}, 0, contacts);
      ASSERT_GT(count, 0U);
      for (const Contact& c : std::span(contacts).first(count)) {
        if (closestPoint(*mesh, pose, c.position)->distance < 0.05) continue;
        hits.clear();
        castSegmentAll(*mesh, pose, {c.position.x, c.position.y, -5}, {c.position.x, c.position.y, 0}, hits);
        EXPECT_FALSE(hits.empty()) << seed << ", step " << i;
      }
    }
  }
}

TEST(LayerCentre, IsThatOfAWedge) {
  for (const double scale : {1e-90, 1.0, 1e60}) {
    // A square about the origin, as thick as it is far from its left side: two thirds of the way to the
    // right.
    const auto point = [&](double x, double y) {
      return LayerPoint{{scale * x, scale * y}, scale * (x + 1)};
    };
    LayerCentre layer({-scale, -scale}, {scale, scale});
    layer.add(point(-1, -1), point(1, -1), point(1, 1));
    layer.add(point(-1, -1), point(-1, 1), point(1, 1));
    const auto centre = layer.centre();
    ASSERT_TRUE(centre);
    EXPECT_NEAR(centre->u / scale, 1.0 / 3, 1e-12);
    EXPECT_NEAR(centre->v / scale, 0, 1e-12);
  }
}

TEST(LayerCentre, IsNowhereWithoutAVolume) {
  LayerCentre layer({0, 0}, {1, 1});
  EXPECT_FALSE(layer.centre());
  layer.add({{0, 0}, 0}, {{1, 0}, 0}, {{0, 1}, 0});
  EXPECT_FALSE(layer.centre());
}

}  // namespace
}  // namespace odemesh
