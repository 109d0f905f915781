// The distance of convex hulls by GJK over the Minkowski difference, as CS277 describes it and libccd does
// it: an oracle for convex meshes, and a lower bound for all others. libccd answers whether two convex bodies
// meet, so the hulls are widened by a ball, of a radius a little below and a little above the distance.
#include <ccd/ccd.h>
#include <gtest/gtest.h>

#include <odemesh/distance.hpp>

#include "collider/test_meshes.hpp"

namespace odemesh {
namespace {

using namespace test;

struct Hull {
  std::vector<Vec3> points;
  double widened_by = 0;
};

void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out) {
  const Hull& hull = *static_cast<const Hull*>(object);
  const Vec3 d{double(ccdVec3X(direction)), double(ccdVec3Y(direction)), double(ccdVec3Z(direction))};
  const Vec3* best = hull.points.data();
  for (const Vec3& p : hull.points)
    if (dot(p, d) > dot(*best, d)) best = &p;
  const Vec3 at = *best + normalised(d) * hull.widened_by;
  ccdVec3Set(out, at.x, at.y, at.z);
}

Hull hullOf(const Mesh& mesh, const Pose& pose) {
  Hull out;
  for (const Vec3& p : mesh.vertices()) out.points.push_back(pose.apply(p));
  return out;
}

bool meetWhenWidened(Hull a, const Hull& b, double by) {
  a.widened_by = by;
  ccd_t ccd;
  CCD_INIT(&ccd);
  ccd.support1 = ccd.support2 = support;
  ccd.max_iterations = 500;
  return ccdGJKIntersect(&a, &b, &ccd) != 0;
}

TEST(ConvexOracle, DistanceOfConvexMeshesIsThatOfTheirHulls) {
  std::mt19937_64 random(1);
  const MeshPtr ball = sphereSoup(0.5, 12, 8).build(), box = boxSoup({1, 2, 0.5}, 2).build();
  int apart = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Pose pose1 = randomPose(random, 4), pose2 = randomPose(random, 4);
    const double distance = meshDistance(*ball, pose1, *box, pose2)->distance;
    if (distance < 1e-3) continue;
    ++apart;
    const Hull a = hullOf(*ball, pose1), b = hullOf(*box, pose2);
    EXPECT_FALSE(meetWhenWidened(a, b, 0.999 * distance)) << "trial " << trial;
    EXPECT_TRUE(meetWhenWidened(a, b, 1.001 * distance)) << "trial " << trial;
  }
  EXPECT_GT(apart, 30);
}

TEST(ConvexOracle, HullsAreNeverFartherApartThanMeshes) {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 60; ++trial) {
    const MeshPtr a = randomSoup(random, 20).build(), b = randomSoup(random, 20).build();
    const Pose pose1 = randomPose(random, 5), pose2 = randomPose(random, 5);
    const double distance = meshDistance(*a, pose1, *b, pose2)->distance;
    if (distance < 1e-3) continue;
    EXPECT_TRUE(meetWhenWidened(hullOf(*a, pose1), hullOf(*b, pose2), 1.001 * distance)) << "trial " << trial;
  }
}

}  // namespace
}  // namespace odemesh
