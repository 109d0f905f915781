// A program that uses odemesh itself, with the preloaded library in front of it: its calls do what they say.
#include <gtest/gtest.h>
#include <odemesh/odemesh.h>

#include "scene.hpp"

namespace odemesh::test {
namespace {

/// The depth of two unit boxes that overlap by 0.05; ODE's own collider says 0.8 or so.
[[nodiscard]] double depthOfOverlap() {
  const Box box(0.5F, 0.5F, 0.5F);
  const dTriMeshDataID data = dGeomTriMeshDataCreate();
  box.build(data);
  const dGeomID low = dCreateTriMesh(nullptr, data, nullptr, nullptr, nullptr);
  const dGeomID high = dCreateTriMesh(nullptr, data, nullptr, nullptr, nullptr);
  dGeomSetPosition(high, 0.25, 0.125, dReal(0.95));
  dContactGeom contact;
  contact.depth = 0;
  dCollide(low, high, 1, &contact, sizeof contact);
  dGeomDestroy(low);
  dGeomDestroy(high);
  dGeomTriMeshDataDestroy(data);
  return double(contact.depth);
}

[[nodiscard]] unsigned long long pairs() {
  odemeshCounters counters;
  counters.size = sizeof counters;
  EXPECT_EQ(odemeshGetCounters(&counters), ODEMESH_OK);
  return counters.pairs;
}

TEST(OwnInstall, TakesThePlaceOfThePreloadedCollider) {
  ASSERT_NE(dInitODE2(0), 0);
  EXPECT_NEAR(depthOfOverlap(), 0.05, 1e-4) << "the preloaded one";
  EXPECT_EQ(pairs(), 0U);
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
  EXPECT_NEAR(depthOfOverlap(), 0.05, 1e-4);
  EXPECT_EQ(pairs(), 1U) << "the program's own";
  odemeshUninstall();
  EXPECT_GT(depthOfOverlap(), 0.1) << "ODE's, not the preloaded one, which bears the same name";
  EXPECT_EQ(pairs(), 1U);
  dCloseODE();
}

}  // namespace
}  // namespace odemesh::test
