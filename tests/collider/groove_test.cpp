// Bodies that lie on one wall of a groove with a whole face and stick into the other with a corner.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <odemesh/collide.hpp>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "motion/sweep.hpp"
#include "test_contacts.hpp"
#include "test_meshes.hpp"

namespace odemesh {
namespace {

using test::MeshPtr;
using test::Soup;

/// How deep a body is behind a wall of this normal through the origin.
double depthBehind(const Vec3& normal, const Mesh& body, const Pose& pose) {
  double depth = -1;
  for (const Vec3& v : body.vertices()) depth = std::max(depth, -dot(normal, pose.apply(v)));
  return depth;
}

/// A groove along y whose bottom is the y axis, and whose walls lean `lean` from upright.
struct Groove {
  Vec3 left_normal;  ///< of the wall at x < 0
  Vec3 right_normal, up_right;
  MeshPtr mesh;

  explicit Groove(double lean)
      : left_normal{std::cos(lean), 0, std::sin(lean)},
        right_normal{-std::cos(lean), 0, std::sin(lean)},
        up_right{std::sin(lean), 0, std::cos(lean)} {
    const double x = up_right.x, z = up_right.z;
    const Soup soup =
        test::prismSoup({{-x - 1, -1}, {x + 1, -1}, {x + 1, z}, {x, z}, {0, 0}, {-x, z}, {-x - 1, z}},
                        {{0, 1, 4}, {1, 2, 3}, {1, 3, 4}, {0, 4, 5}, {0, 5, 6}}, 6);
    mesh = soup.buildMerged();
  }

  /// A body lies on the right wall with its underside, `flush` below it, turned by `angle` there; its lowest
  /// corner is `deep` behind the left wall.
  [[nodiscard]] Pose lay(const Mesh& body, double angle, double flush, double deep) const {
    const Vec3 along = cross(right_normal, up_right);
    const double c = std::cos(angle), s = std::sin(angle);
    const Vec3 x = c * up_right + s * along, y = c * along - s * up_right;
    Pose pose{{{{x.x, y.x, right_normal.x}, {x.y, y.y, right_normal.y}, {x.z, y.z, right_normal.z}}}, {}};
    double lowest = 0, underside = 0;
    for (const Vec3& v : body.vertices()) {
      lowest = std::min(lowest, dot(up_right, pose.rotate(v)));
      underside = std::min(underside, v.z);
    }
    const double beyond = deep / dot(up_right, left_normal);
    pose.translation = up_right * (-beyond - lowest) - right_normal * (underside + flush);
    return pose;
  }

  /// Moves a body until it is so deep behind the walls.
  void place(const Mesh& body, double left, double right, Pose& pose) const {
    const double off_left = depthBehind(left_normal, body, pose) - left;
    const double off_right = depthBehind(right_normal, body, pose) - right;
    pose.translation +=
        {(off_left - off_right) / (2 * left_normal.x), 0, (off_left + off_right) / (2 * left_normal.z)};
  }

  /// How far a body is told to move along `way`, or, of no way, along the contacts' own normals.
  [[nodiscard]] double told(const Mesh& body, const Pose& pose, std::optional<Vec3> way = {}) const {
    std::array<Contact, 64> contacts;
    double most = 0;
    for (const Contact& c : std::span(contacts).first(collide(body, pose, *mesh, {}, contacts)))
      most = std::max(most, way ? c.depth * dot(c.normal, *way) : c.depth);
    return most;
  }
};

MeshPtr crossPrism() {
  const Soup soup =
      test::cellSoup({{{-0.3, -0.1, 0.1, 0.3}, {-0.3, -0.1, 0.1, 0.3}, {-0.1, 0.1}}},
                     [](std::size_t i, std::size_t j, std::size_t) { return i == 1 || j == 1; });
  return soup.buildMerged();
}

// A fixed bug: what is pressed into the walls near their end was told the way up.
TEST(GrooveTest, APlateAcrossItsEndLeavesPastThat) {
  const Groove groove(1.3);
  const MeshPtr plate = test::boxSoup({0.1, 0.04, 0.5}).buildMerged();
  for (const double deep : {0.1, 0.2})
    for (const double beyond : {-1e-2, -1e-3, -1e-5, 1e-5, 1e-3, 1e-2}) {
      const Pose pose{rotationBy({0, 0, 0.01}), {0.01, 3 - 0.02 + beyond, 0.25 - deep}};
      EXPECT_LT(groove.told(*plate, pose), 0.05 - beyond) << deep << ' ' << beyond;
    }
}

// A fixed bug: of the corners that touch the one wall, every second one was looked at, and that which sticks
// into the other wall was left there.
TEST(GrooveTest, TheCornerThatSticksIntoTheOtherWallIsHeld) {
  const Groove groove(52.5 / 180 * std::numbers::pi);
  const MeshPtr body = crossPrism();
  ASSERT_TRUE(groove.mesh->isSolid() && body->isSolid());
  for (int degrees = 3; degrees < 360; degrees += 6)
    for (const double flush : {1e-6, 1e-5, 1e-4})
      for (const double deep : {0.005, 0.02, 0.04}) {
        const Pose pose = groove.lay(*body, degrees / 180.0 * std::numbers::pi, flush, deep);
        const double held = groove.told(*body, pose, groove.left_normal);
        EXPECT_NEAR(held, deep, 0.1 * deep) << degrees << " degrees, " << flush;
      }
}

// A fixed bug: of a body with many corners, flush on the one wall, some were looked at, and hardly ever the
// one that sticks into the other wall.
TEST(GrooveTest, OneCornerOfManyThatSticksIntoTheOtherWallIsHeld) {
  const Groove groove(0.9);
  const MeshPtr body = test::starSoup(40, 0.3, 0.27, 0.15).buildMerged();
  for (int degrees = 0; degrees < 90; ++degrees)
    for (const double flush : {1e-4, 1e-3})
      for (const double deep : {0.005, 0.02}) {
        const Pose pose = groove.lay(*body, degrees / 180.0 * std::numbers::pi, flush, deep);
        const double held = groove.told(*body, pose, groove.left_normal);
        EXPECT_GT(held, 0.5 * deep) << degrees << " degrees, " << flush << ", " << deep;
      }
}

// A fixed bug: a vertex that none of the contacts of both walls sends out was forgotten if its way out is
// more than half as long as that of the whole body along one direction.
TEST(GrooveTest, NoVertexInsideIsForgotten) {
  const MeshPtr box = test::boxSoup({0.6, 0.4, 0.3}).buildMerged();
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (const double lean : {0.6, 0.8, 1.0, 1.2}) {
    const Groove groove(lean);
    for (const MeshPtr& body : {box, crossPrism()})
      for (int k = 0; k < 2000; ++k) {
        Pose pose{test::randomRotation(random), {}};
        const double deep = 0.002 * std::pow(10, uniform(random)), lesser = 0.3 * uniform(random) * deep;
        groove.place(*body, lesser, deep, pose);
        const double told = groove.told(*body, pose);
        EXPECT_GT(told, 0.5 * deep) << lean << ' ' << k;
      }
  }
}

/// A tetrahedron whose first face is its underside, no thinner than a tenth of its size.
Soup randomTetrahedron(std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-0.25, 0.25);
  while (true) {
    std::array<Vec3, 4> v;
    for (Vec3& p : v) p = {uniform(random), uniform(random), uniform(random)};
    const Vec3 area = cross(v[1] - v[0], v[2] - v[0]);
    const double height = dot(normalised(area), v[0] - v[3]);
    if (height < 0.05 || length(area) < 0.01) continue;
    const Vec3 x = normalised(v[1] - v[0]), z = normalised(-area);
    Soup soup = test::tetrahedronSoup(v[0], v[1], v[2], v[3]);
    soup.transform({Mat3{{x, cross(z, x), z}}, {}});
    return soup;
  }
}

// Fixed bugs: a body that lies a little inside the one wall, and whose corner is near the other but has not
// crossed it, was told ways out right through the ground, since its corner does not leave by the one wall; or
// a tenth of what it overlaps by, as if it left between a wall and a face of its own.
TEST(GrooveTest, ACornerThatHardlyMeetsTheOtherWallIsAsDeepAsItsOwn) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (const double lean : {0.5, 0.6, 0.78, 0.9, 1.1})
    for (const double tilt : {0.0, 0.02, 0.2, 1.0})
      for (int k = 0; k < 1000; ++k) {
        const Groove groove(lean);
        const MeshPtr body = randomTetrahedron(random).buildMerged();
        Pose pose = groove.lay(*body, 2 * std::numbers::pi * uniform(random), 0, 0);
        pose.rotation =
            rotationBy(Vec3{uniform(random), uniform(random), uniform(random)} * tilt) * pose.rotation;
        const double deep = 0.001 * std::pow(10, uniform(random)),
                     ahead = k % 2 * 0.5 * uniform(random) * deep;
        groove.place(*body, -ahead, deep, pose);
        const double told = groove.told(*body, pose);
        EXPECT_GT(told, 0.5 * deep) << lean << ", " << tilt << ", " << k;
        EXPECT_LT(told, 2 * deep / groove.left_normal.z) << lean << ", " << tilt << ", " << k;
      }
}

constexpr std::array<Vec3, 3> kRoomNormals{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/// Of three walls, which look along the axes and meet at the origin.
MeshPtr roomCorner() {
  const std::array<std::vector<double>, 3> planes{{{-1, 0, 1}, {-1, 0, 1}, {-1, 0, 1}}};
  return test::cellSoup(planes, [](std::size_t i, std::size_t j, std::size_t k) { return i + j + k < 3; })
      .buildMerged();
}

// A fixed bug: a contact had the mean of the wall's normal and that of a side of the disc, by which it looked
// along the groove: a disc that slid down one wall without friction left the other one sideways.
TEST(GrooveTest, ADiscIsNotPushedAlongTheGroove) {
  for (const double lean : {0.8, 0.9, 1.0})
    for (const int sides : {12, 20, 64}) {
      const Groove groove(lean);
      const MeshPtr disc =
          test::revolvedSoup({{0, -0.05}, {0.15, -0.05}, {0.15, 0.05}, {0, 0.05}}, sides).buildMerged();
      for (int step = 0; step < 8; ++step)
        for (const double flush : {0.0, 2e-6, 2e-5})
          for (const double deep : {1e-3, 4e-3}) {
            const Pose pose = groove.lay(*disc, step * std::numbers::pi / (4 * sides), flush, deep);
            std::array<Contact, 64> contacts;
            const auto told = std::span(contacts).first(collide(*disc, pose, *groove.mesh, {}, contacts));
            EXPECT_NEAR(test::deepestAlong(told, groove.left_normal), deep, 0.05 * deep);
            for (const Contact& c : told)
              EXPECT_LT(std::abs(c.normal.y), c.depth < 0.1 * deep ? 1 : 2e-3)
                  << lean << ", " << sides << " sides, " << step << ", " << flush << ", " << deep;
          }
    }
}

// A fixed bug: the corner of a box that has sunk into one wall by a hair was told to leave as far off that as
// off the other one, into which it ran: a box that slid over a floor jumped at the wall.
TEST(GrooveTest, ACornerLeavesTheWallThatItRunsIntoMostOfAll) {
  const Groove groove(std::numbers::pi / 4);
  const MeshPtr box = test::boxSoup({0.3, 0.3, 0.1}).buildMerged();
  for (int degrees = 30; degrees <= 60; degrees += 3)
    for (const double flush : {2e-6, 2e-5, 1e-4})
      for (const double deep : {1e-3, 4e-3}) {
        const Pose pose = groove.lay(*box, degrees / 180.0 * std::numbers::pi, flush, deep);
        std::array<Contact, 64> contacts;
        const auto told = std::span(contacts).first(collide(*box, pose, *groove.mesh, {}, contacts));
        EXPECT_NEAR(test::deepestAlong(told, groove.left_normal), deep, 0.05 * deep);
        EXPECT_LT(test::deepestAlong(told, groove.right_normal), 2 * flush)
            << degrees << " degrees, " << flush << ", " << deep;
      }
}

// A fixed bug: what lies on a floor was told to rise until it comes free of a slope beside it, if that way is
// less than twice as long as the one off the slope. It was not stopped, but lifted, and gained energy.
TEST(GrooveTest, WhatRunsIntoASlopeLeavesAlongThat) {
  const MeshPtr box = test::boxSoup({0.3, 0.3, 0.1}).buildMerged();
  for (const double slope : {40.0, 50.0, 60.0, 70.0}) {
    const Groove groove((90 - slope / 2) / 180 * std::numbers::pi);
    for (int degrees = 0; degrees <= 90; degrees += 9)
      for (const double flush : {0.0, 2e-5})
        for (const double deep : {2e-3, 6e-3}) {
          const Pose pose = groove.lay(*box, degrees / 180.0 * std::numbers::pi, flush, deep);
          std::array<Contact, 64> contacts;
          const auto told = std::span(contacts).first(collide(*box, pose, *groove.mesh, {}, contacts));
          EXPECT_NEAR(test::deepestOf(told), deep, 0.03 * deep);
          for (const Contact& c : told)
            EXPECT_GT(dot(c.normal, groove.left_normal), c.depth < 0.1 * deep ? 0 : 0.99)
                << slope << ", " << degrees << " degrees, " << flush << ", " << deep;
        }
  }
}

// Fixed bugs of the same kind, where a vertex is in the corner of three walls and the surface of its body
// meets two of them, or one: depths were as great as the walls are thick, and one wall in fourteen poses
// hardly held.
TEST(GrooveTest, NothingIsDeepInTheCornerOfARoom) {
  const MeshPtr room = roomCorner();
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  int loose = 0;
  constexpr int kPoses = 3000;
  for (int k = 0; k < kPoses; ++k) {
    const MeshPtr body = randomTetrahedron(random).buildMerged();
    Pose pose{test::randomRotation(random), {}};
    const double deep = 0.0005 * std::pow(60, uniform(random));
    std::array<double, 3> depth{deep, deep * (1.5 * uniform(random) - 0.5),
                                deep * (1.5 * uniform(random) - 0.5)};
    std::rotate(depth.begin(), depth.begin() + k % 3, depth.end());
    Vec3 off;
    for (std::size_t i = 0; i < 3; ++i)
      off += kRoomNormals[i] * (depthBehind(kRoomNormals[i], *body, pose) - depth[i]);
    pose.translation += off;
    std::array<Contact, 64> contacts;
    const auto told = std::span(contacts).first(collide(*body, pose, *room, {}, contacts));
    for (const Contact& c : told) EXPECT_LT(c.depth, 4 * deep) << k;
    for (std::size_t i = 0; i < 3; ++i) {
      const bool is_held = std::ranges::any_of(
          told, [&](const Contact& c) { return c.depth * dot(c.normal, kRoomNormals[i]) > 0.4 * depth[i]; });
      loose += depth[i] > 0.5 * deep && !is_held;
    }
  }
  EXPECT_LE(loose, kPoses / 200);
}

// A fixed bug: a wall that the rim of a plate is in by a hair looked like a face that lies over the plate's
// underside, by as much as the plate has to rise to come off it if it leans away.
TEST(GrooveTest, APlateLiesInTheCornerOfARoom) {
  const MeshPtr room = roomCorner();
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int k = 0; k < 3000; ++k) {
    const double thickness = 0.0005 * std::pow(30, uniform(random));
    const MeshPtr plate = test::boxSoup({0.4, 0.3, thickness}).buildMerged();
    Pose pose{rotationBy(Vec3{uniform(random) - 0.5, uniform(random) - 0.5, 0} * 0.004), {}};
    const std::array<double, 3> depth{2e-5 * uniform(random), 2e-5 * uniform(random), 5e-4 * uniform(random)};
    for (std::size_t i = 0; i < 3; ++i)
      pose.translation += kRoomNormals[i] * (depthBehind(kRoomNormals[i], *plate, pose) - depth[i]);
    std::array<Contact, 64> contacts;
    const auto told = std::span(contacts).first(collide(*plate, pose, *room, {}, contacts));
    EXPECT_LT(test::deepestOf(told), 3 * *std::ranges::max_element(depth)) << k;
  }
}

// A fixed bug: the sharp rim of a funnel looks in all directions, which were taken for those of as many
// walls, too many to tell the ways off them. Where it stood on the floor and touched the wall by a hair, it
// was told to rise past the upper end of what touches.
TEST(GrooveTest, AFunnelStandsOnItsRimBesideAWall) {
  const MeshPtr room = roomCorner();
  const MeshPtr funnel =
      test::revolvedSoup({{0.2, 0}, {0.2, 0.02}, {0.05, 0.16}, {0.03, 0.14}}, 24).buildMerged();
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int k = 0; k < 1000; ++k) {
    const Vec3 lean = Vec3{uniform(random) - 0.5, uniform(random) - 0.5, 0} * 6e-4;
    Pose pose{rotationBy(lean) * rotationBy({0, 0, 6 * uniform(random)}), {}};
    const std::array<double, 3> depth{1e-7 * std::pow(3000, uniform(random)), -0.2,
                                      3e-6 * std::pow(100, uniform(random))};
    for (std::size_t i = 0; i < 3; ++i)
      pose.translation += kRoomNormals[i] * (depthBehind(kRoomNormals[i], *funnel, pose) - depth[i]);
    std::array<Contact, 64> contacts;
    const auto told = std::span(contacts).first(collide(*funnel, pose, *room, {}, contacts));
    EXPECT_LT(test::deepestOf(told), 3 * *std::ranges::max_element(depth)) << k;
  }
}

}  // namespace
}  // namespace odemesh
