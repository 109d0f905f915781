#include "scenes/convex_overlap.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <odemesh/sim/shapes.hpp>

#include "scenes/builder.hpp"

namespace odemesh::sim {
namespace {

[[nodiscard]] ConvexSolid box(const Vec3& size) {
  return ConvexSolid({CollisionMesh::make(makeBox(size, 2))});
}

TEST(ConvexOverlap, IsTheShortestWayOutOfAFace) {
  const ConvexSolid plate = box({0.6, 0.6, 0.03}), cube = box({0.2, 0.2, 0.2});
  // Though no point of the plate is deeper than 15 mm below its own surface.
  EXPECT_NEAR(ConvexSolid::overlap(cube, {{}, {0, 0, 0.05}}, plate, {}), 0.065, 1e-12);
  EXPECT_NEAR(ConvexSolid::overlap(plate, {}, cube, {{}, {0, 0, -0.05}}), 0.065, 1e-12);
  EXPECT_EQ(ConvexSolid::overlap(cube, {{}, {0, 0, 0.116}}, plate, {}), 0);
}

TEST(ConvexOverlap, IsTheShortestWayAcrossTwoEdges) {
  const ConvexSolid cube = box({1, 1, 1});
  // Standing on an edge each, crosswise, one above the other: they reach sqrt(1/2) up and down.
  const Mat3 along_x = rotationAbout({1, 0, 0}, std::numbers::pi / 4),
             along_y = rotationAbout({0, 1, 0}, std::numbers::pi / 4);
  const double height = std::numbers::sqrt2 - 0.1;
  EXPECT_NEAR(ConvexSolid::overlap(cube, {along_x, {}}, cube, {along_y, {0, 0, height}}), 0.1, 1e-12);
  EXPECT_EQ(ConvexSolid::overlap(cube, {along_x, {}}, cube, {along_y, {0, 0, height + 0.101}}), 0);
}

}  // namespace
}  // namespace odemesh::sim
