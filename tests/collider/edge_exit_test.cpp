// Sharp tips at edges: what holds them in each other may lie outside of the region that their contour shows.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <odemesh/collide.hpp>
#include <odemesh/distance.hpp>
#include <random>
#include <span>
#include <vector>

#include "test_contacts.hpp"
#include "test_meshes.hpp"

namespace odemesh::test {
namespace {

/// Two legs at a right angle.
MeshPtr angleMesh() {
  const std::vector<double> across{-0.5, -0.1, 0.5};
  return cellSoup({across, across, std::vector<double>{-0.2, 0.2}},
                  [](std::size_t i, std::size_t j, std::size_t) { return i == 0 || j == 0; })
      .buildMerged();
}

/// Moves mesh 1 up to mesh 2 along `way` and by `deep` into it. False if it does not get there.
bool pushInto(const Mesh& mesh1, Pose& pose, const Mesh& mesh2, const Vec3& way, double deep) {
  pose.translation = pose.translation - way * 3;
  for (double gone = 0; gone < 4;) {
    const auto near = meshDistance(mesh1, pose, mesh2, {});
    const double step = near ? near->distance : 0;
    if (step < 1e-7) {
      pose.translation += way * deep;
      return true;
    }
    pose.translation += way * (0.98 * step + 1e-8);
    gone += step;
  }
  return false;
}

bool isApart(const Mesh& mesh1, Pose pose, const Mesh& mesh2, const Vec3& way) {
  pose.translation += way;
  return !intersects(mesh1, pose, mesh2, {});
}

// A fixed bug: the way out was measured from points of the region alone, and was a fifth and more too short
// in 15 of these.
TEST(EdgeExitTest, OneContactTellsTheWholeWay) {
  const MeshPtr angle = angleMesh(), tetrahedron = tetrahedronSoup({0.5, 0, -0.1}, {-0.25, -0.4, -0.1},
                                                                   {-0.3, 0.4, -0.1}, {0, 0, 0.6})
                                                       .build();
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(0, 1);
  int single = 0, understated = 0;
  for (int i = 0; i < 8000; ++i) {
    Pose pose = randomPose(random, 0.9);
    const Vec3 way = randomRotation(random).row[0];
    if (!pushInto(*tetrahedron, pose, *angle, way, 0.6 * std::pow(10, -3 + 1.5 * unit(random)))) continue;
    std::array<Contact, 64> contacts;
    if (collide(*tetrahedron, pose, *angle, {}, contacts) != 1) continue;
    ++single;
    const Vec3 out = contacts[0].normal * contacts[0].depth;
    understated +=
        !isApart(*tetrahedron, pose, *angle, out * 1.2) && isApart(*tetrahedron, pose, *angle, out * 3);
  }
  EXPECT_GT(single, 7000);
  EXPECT_LE(understated, 2);
}

// A fixed bug: where an edge crossed a ridge of which a corner was inside, too, the corner alone was told,
// and in 31 of these much was left after a body had followed that.
TEST(EdgeExitTest, WhatFollowsTheContactsOfARimOnARidgeIsOut) {
  const MeshPtr ring =
      revolvedSoup({{1, 0}, {0.815, 0.238}, {0.515, 0.147}, {0.515, -0.147}, {0.815, -0.238}}, 8).build();
  const MeshPtr cone = revolvedSoup({{0, -0.5}, {0.5, -0.5}, {0, 0.5}}, 8).build();
  std::mt19937_64 random(1);
  int deep = 0, left = 0;
  for (int i = 0; i < 6000; ++i) {
    Pose pose = randomPose(random, 0.9);
    if (!pushInto(*cone, pose, *ring, randomRotation(random).row[0], 0.02)) continue;
    std::array<Contact, 64> contacts;
    const std::span told(contacts.data(), collide(*cone, pose, *ring, {}, contacts));
    const Vec3 way = answerTo(told);
    const double depth = deepestOf(told);
    if (length(way) > 4 * depth) continue;
    ++deep;
    pose.translation += way * 1.01;
    left += deepestOf({contacts.data(), collide(*cone, pose, *ring, {}, contacts)}) > 0.5 * depth;
  }
  EXPECT_GT(deep, 5000);
  EXPECT_LE(left, 18);
}

}  // namespace
}  // namespace odemesh::test
