#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <odemesh/sim/shapes.hpp>

#include "render/shading_mesh.hpp"

namespace odemesh::sim::render {
namespace {

Vec3 asVec3(const float (&v)[3]) {
  return {v[0], v[1], v[2]};
}

TEST(ShadingMesh, ABoxKeepsItsEdges) {
  const ShadingMesh box = shadingMesh(makeBox({1, 2, 3}), 35);
  ASSERT_EQ(box.vertices.size(), 36U);
  EXPECT_NEAR(box.radius, std::sqrt(14.0) / 2, 1e-12);
  for (const ShadingVertex& v : box.vertices) {
    const Vec3 n = asVec3(v.normal);
    EXPECT_NEAR(std::max({std::abs(n.x), std::abs(n.y), std::abs(n.z)}), 1, 1e-6);
    EXPECT_GT(dot(n, asVec3(v.position)), 0.4);  // outwards, along the half edge of that axis
  }
}

TEST(ShadingMesh, ASphereIsSmooth) {
  for (const ShadingVertex& v : shadingMesh(makeIcosphere(2, 3), 35).vertices)
    EXPECT_GT(dot(asVec3(v.normal), normalised(asVec3(v.position))), 0.9995);
}

TEST(ShadingMesh, FarFromItsOriginNothingIsLost) {
  TriangleMesh far = makeBox({1, 1, 1});
  for (Vec3& v : far.vertices) v += Vec3{1e8, -1e8, 5e7};
  const ShadingMesh box = shadingMesh(far, 35);
  EXPECT_EQ(box.centre, (Vec3{1e8, -1e8, 5e7}));
  for (const ShadingVertex& v : box.vertices)
    for (const float coordinate : v.position) EXPECT_NEAR(std::abs(coordinate), 0.5, 1e-7);
}

TEST(ShadingMesh, LeavesOutWhatCannotBeDrawn) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  TriangleMesh mesh{"bad", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {nan, 0, 0}, {2, 0, 0}}, {}};
  mesh.triangles = {{0, 1, 2}, {0, 1, 9}, {0, 1, 3}, {0, 1, 4}, {1, 1, 1}};
  EXPECT_EQ(shadingMesh(mesh, 35).vertices.size(), 3U);
  EXPECT_TRUE(shadingMesh({}, 35).vertices.empty());
}

// Comparing each corner of a fan with each other would take 10^10 steps here.
TEST(ShadingMesh, AFanOfManyTrianglesIsQuick) {
  constexpr std::uint32_t kBlades = 100000;
  TriangleMesh fan{"fan", {{0, 0, 0}}, {}};
  for (std::uint32_t i = 0; i <= kBlades; ++i)
    fan.vertices.push_back({std::cos(6e-5 * i), std::sin(6e-5 * i), 0.1});
  for (std::uint32_t i = 1; i <= kBlades; ++i) fan.triangles.push_back({0, i, i + 1});
  EXPECT_EQ(shadingMesh(fan, 35).vertices.size(), 3 * kBlades);
}

}  // namespace
}  // namespace odemesh::sim::render
