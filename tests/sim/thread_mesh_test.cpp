// Nuts and bolts of the scenes: which of them the facets of their threads let turn.
#include <gtest/gtest.h>

#include <map>
#include <numbers>
#include <odemesh/collide.hpp>
#include <utility>

#include "scenes/builder.hpp"
#include "scenes/meshes.hpp"

namespace odemesh::sim {
namespace {

constexpr ThreadSize kSize{.radius = 0.1, .depth = 0.03, .pitch = 0.08};
constexpr double kClearance = 0.003;
constexpr double kSegment = 2 * std::numbers::pi / 32;

std::shared_ptr<const Mesh> built(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> indices;
  for (const auto& triangle : mesh.triangles) indices.insert(indices.end(), triangle.begin(), triangle.end());
  return Mesh::build(mesh.vertices, indices).mesh;
}

/// The lowest height at which the nut, turned down by so many segments, clears the bolt: found from the helix
/// downwards, where it is free, by exact tests of their triangles.
double lowestFree(const Mesh& bolt, const Mesh& nut, double segments) {
  const double turn = -kSegment * segments;
  double free = kSize.pitch * turn / (2 * std::numbers::pi), blocked = free - 0.006;
  for (int i = 0; i < 24; ++i) {
    const double middle = 0.5 * (free + blocked);
    (intersects(bolt, {}, nut, {rotationAbout({0, 0, 1}, turn), {0, 0, middle}}) ? blocked : free) = middle;
  }
  return free;
}

TEST(ThreadMeshes, AreClosed) {
  for (const TriangleMesh& mesh :
       {flatThreadedBolt(kSize, 10), flatThreadedNut(kSize, kClearance, 2, 0.2), threadedBolt(kSize, 0.8)}) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> sides;
    for (const auto& t : mesh.triangles)
      for (std::size_t i = 0; i < 3; ++i) ++sides[{t[i], t[(i + 1) % 3]}];
    for (const auto& [side, count] : sides) {
      EXPECT_EQ(count, 1);
      EXPECT_TRUE(sides.contains({side.second, side.first}));
    }
  }
}

TEST(ThreadMeshes, FlatFlanksLetANutTurnDown) {
  const auto bolt = built(flatThreadedBolt(kSize, 4)),
             nut = built(flatThreadedNut(kSize, kClearance, 2, 0.2));
  double last = lowestFree(*bolt, *nut, 0);
  for (int eighth = 1; eighth <= 12; ++eighth) {
    const double height = lowestFree(*bolt, *nut, eighth / 8.0);
    EXPECT_LT(height, last) << eighth;
    last = height;
  }
}

// On its way down the nut would have to rise by 0.12 mm.
TEST(ThreadMeshes, SteepFlanksHoldANut) {
  const auto bolt = built(threadedBolt(kSize, 0.48)), nut = built(threadedNut(kSize, kClearance, 0.16, 0.2));
  EXPECT_GT(lowestFree(*bolt, *nut, 0.875), lowestFree(*bolt, *nut, 0) + 1e-4);
  EXPECT_GT(lowestFree(*bolt, *nut, -0.125), lowestFree(*bolt, *nut, 0) + 1e-4);
}

}  // namespace
}  // namespace odemesh::sim
