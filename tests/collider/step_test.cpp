// Bodies that lean over the nose of a step, and touch its tread with two corners.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <odemesh/collide.hpp>
#include <span>

#include "motion/sweep.hpp"
#include "test_meshes.hpp"

namespace odemesh {
namespace {

using test::MeshPtr;
using test::Soup;

/// A step along y, whose tread is at z = 0 and whose nose is the y axis.
MeshPtr step() {
  return test::prismSoup({{-2, -1}, {2, -1}, {2, -0.35}, {0, -0.35}, {0, 0}, {-2, 0}},
                         {{0, 1, 3}, {1, 2, 3}, {0, 3, 4}, {0, 4, 5}}, 6)
      .buildMerged();
}

/// A square block with its underside at z = 0, which is twisted, so that some of its sides hang over.
MeshPtr twistedBlock(double twist) {
  const double c = std::cos(twist), s = std::sin(twist);
  Soup soup = test::boxSoup({0.5, 0.5, 0.3});
  for (Vec3& v : soup.vertices)
    v = v.z > 0 ? Vec3{c * v.x - s * v.y, s * v.x + c * v.y, 0.3} : Vec3{v.x, v.y, 0};
  return soup.buildMerged();
}

/// Well inside of it.
bool isInBlock(const Vec3& p) {
  return p.z >= 0 && p.z <= 0.3 && std::hypot(p.x, p.y) < 0.18;
}

/// How far the y axis lies above the underside of a body in this place, where that is most.
double deepest(const Pose& pose) {
  const Pose back = pose.inverse();
  double depth = 0;
  for (int i = -1000; i <= 1000; ++i)
    if (const Vec3 p = back.apply({0, 0.0005 * i, 0}); isInBlock(p)) depth = std::max(depth, p.z);
  return depth;
}

// A fixed bug: where the sides of the body hang over its underside, this and the tread may meet nowhere but
// in the two corners, which were taken for all that overlaps.
TEST(StepTest, ItsNoseIsHeldInABodyThatAlsoTouchesTheTread) {
  const MeshPtr ground = step();
  for (const double twist : {-0.6, -0.3, 0.3, 0.6}) {
    const MeshPtr mesh = twistedBlock(twist);
    for (int tilt = 4; tilt < 15; tilt += 3)
      for (int turn = -45; turn <= 45; turn += 5)
        for (const double behind : {0.15, 0.25, 0.35}) {
          const double a = tilt / 180.0 * std::numbers::pi, b = turn / 180.0 * std::numbers::pi;
          Pose pose{rotationBy({0, 0, b}) * rotationBy({0, a, 0}), {}};
          // The edge that touches the tread has its middle `behind` the nose.
          pose.translation = Vec3{-behind, 0.1, -1e-5} - pose.rotate({-0.25, 0, 0});
          const double deep = deepest(pose);
          if (deep < 0.002) continue;
          std::array<Contact, 64> contacts;
          const std::size_t count = collide(*mesh, pose, *ground, {}, contacts);
          const Vec3 up = pose.rotate({0, 0, 1});
          double held = 0;
          for (const Contact& c : std::span(contacts).first(count))
            held = std::max(held, c.depth * dot(c.normal, up));
          EXPECT_GT(held, 0.5 * deep)
              << "twist " << twist << ", tilt " << tilt << ", turn " << turn << ", " << behind;
        }
  }
}

/// A square block of 0.5 that narrows from its underside, at z = 0, on.
MeshPtr taperedBlock(double top) {
  Soup soup = test::boxSoup({0.5, 0.5, 0.3});
  for (Vec3& v : soup.vertices) v = v.z > 0 ? Vec3{top * v.x, top * v.y, 0.3} : Vec3{v.x, v.y, 0};
  return soup.buildMerged();
}

// A fixed bug: where the sides lean in, nothing of the body is above the corners of its underside, and what
// lies there over the nose of a step was taken for another layer. One contact held it, in the middle.
TEST(StepTest, ItsNoseIsHeldAtBothEndsInABodyThatNarrows) {
  const MeshPtr ground = step();
  for (const double top : {0.3, 0.6, 0.9, 1.0}) {
    const MeshPtr mesh = taperedBlock(top);
    for (const double tilt : {0.02, 0.05, 0.1, 0.2})
      for (const double behind : {0.1, 0.2, 0.3}) {
        Pose pose{rotationBy({0, tilt, 0}), {}};
        // The edge farther from the nose is as far behind it as that, and a little below the tread.
        pose.translation = Vec3{-behind, 0, -0.001} - pose.rotate({-0.25, 0, 0});
        const double deep = pose.inverse().apply({0, 0, 0}).z;
        std::array<Contact, 64> contacts;
        const std::size_t count = collide(*mesh, pose, *ground, {}, contacts);
        for (const double y : {-0.25, 0.25}) {
          const bool is_held = std::any_of(contacts.begin(), contacts.begin() + count, [&](const Contact& c) {
            return std::abs(c.position.y - y) < 0.005 && std::abs(c.position.x) < deep &&
                   std::abs(c.depth - deep) < 0.02 * deep;
          });
          EXPECT_TRUE(is_held) << top << ", tilted by " << tilt << ", " << behind << ", end " << y;
        }
      }
  }
}

}  // namespace
}  // namespace odemesh
