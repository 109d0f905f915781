// Contacts do not depend on where in the world a pair is: ties are not left to rounding.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <odemesh/collide.hpp>
#include <random>
#include <vector>

#include "test_contacts.hpp"
#include "test_meshes.hpp"

namespace odemesh {
namespace {

using test::answerTo;
using test::MeshPtr;
using test::randomRotation;
using test::revolvedSoup;
using test::Soup;

std::vector<Contact> contactsOf(const MeshPtr& mesh, const Pose& pose1, const Pose& pose2) {
  std::vector<Contact> contacts(64);
  contacts.resize(collide(*mesh, pose1, *mesh, pose2, contacts));
  return contacts;
}

/// Of so many random poses in each other, with their centres up to `off` apart along each axis, tell the
/// contacts something else wherever the pair is? That is, does the way that answers them differ by more than
/// a tenth?
int countDiffering(const MeshPtr& mesh, double off, unsigned seed, int poses) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> share(-1, 1);
  int differing = 0;
  for (int i = 0; i < poses; ++i) {
    const Pose pose1{randomRotation(random), {}};
    const Pose pose2{randomRotation(random), Vec3{share(random), share(random), share(random)} * off};
    const Vec3 way = answerTo(contactsOf(mesh, pose1, pose2));
    bool is_same = true;
    for (int k = 0; k < 6; ++k) {
      const Pose moved{randomRotation(random), {share(random), share(random), share(random)}};
      const Vec3 there = answerTo(contactsOf(mesh, moved * pose1, moved * pose2));
      const Vec3 other = moved.rotation.transposed() * there;
      is_same = is_same && length(other - way) <= 0.1 * std::max(length(way), length(other));
    }
    differing += is_same ? 0 : 1;
  }
  return differing;
}

/// A thin bowl: a part of a hollow ball around its axis, up to an angle from that.
Soup bowlSoup(double thickness, double angle, int rings, int segments) {
  std::vector<std::array<double, 2>> outline;
  const auto add = [&](int ring, double radius) {
    const double a = angle * ring / rings;
    outline.push_back({ring == 0 ? 0 : radius * std::sin(a), -radius * std::cos(a)});
  };
  for (int i = 0; i <= rings; ++i) add(i, 1);
  for (int i = rings; i >= 0; --i) add(i, 1 - thickness);
  return revolvedSoup(outline, segments);
}

/// A ring whose section has so many sides.
Soup ringSoup(double width, int sides, int segments) {
  std::vector<std::array<double, 2>> outline;
  for (int i = 0; i < sides; ++i) {
    const double a = 2 * std::numbers::pi * (i + 0.5) / sides;
    outline.push_back({0.8 + width * std::cos(a), width * std::sin(a)});
  }
  return revolvedSoup(outline, segments);
}

// A fixed bug: where edges alone cross, the way back is as long as the way on, and rounding chose between the
// two. Of candidates in the same place, those of faces that share a corner, it chose one, too.
TEST(RigidMotionTest, DoesNotChangeWhatCrossedBowlsAreTold) {
  EXPECT_EQ(countDiffering(bowlSoup(0.01, 1.4, 6, 12).buildMerged(), 0.3, 3, 60), 0);
}

// A fixed bug: of the corners of a face, which are as deep as each other, rounding chose the one whose way
// out was measured.
TEST(RigidMotionTest, DoesNotChangeWhatLinkedRingsAreTold) {
  EXPECT_EQ(countDiffering(ringSoup(0.25, 6, 20).buildMerged(), 0.7, 1, 200), 0);
}

}  // namespace
}  // namespace odemesh
