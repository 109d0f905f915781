#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <odemesh/sim/polygon.hpp>

namespace odemesh::sim {
namespace {

TriangleMesh triangulated(const std::vector<Vec3>& outline) {
  TriangleMesh mesh;
  mesh.vertices = outline;
  std::vector<std::uint32_t> polygon(outline.size());
  std::iota(polygon.begin(), polygon.end(), 0u);
  appendPolygon(mesh, polygon);
  return mesh;
}

/// The sum of the triangles' areas, each counted positively: larger than the polygon's if triangles overlap
/// or turn.
double coveredArea(const TriangleMesh& mesh) {
  double area = 0;
  for (const auto& [a, b, c] : mesh.triangles)
    area += length(cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a])) / 2;
  return area;
}

/// A polygon in the plane z = x + 2y: its areas are sqrt(6) times those in the x-y plane.
std::vector<Vec3> tilted(const std::vector<std::pair<double, double>>& outline) {
  std::vector<Vec3> out;
  out.reserve(outline.size());
  for (const auto& [x, y] : outline) out.push_back({x, y, x + 2 * y});
  return out;
}

using Triangles = std::vector<std::array<std::uint32_t, 3>>;

TEST(Polygon, ConvexOnesBecomeFans) {
  TriangleMesh mesh;
  for (int i = 0; i < 5; ++i) mesh.vertices.push_back({std::cos(i), std::sin(i), 0});
  appendPolygon(mesh, std::array<std::uint32_t, 5>{1, 2, 3, 4, 0});
  EXPECT_EQ(mesh.triangles, (Triangles{{1, 2, 3}, {1, 3, 4}, {1, 4, 0}}));
}

TEST(Polygon, FewerThanThreeCornersAppendNothing) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}};
  appendPolygon(mesh, std::array<std::uint32_t, 2>{0, 1});
  appendPolygon(mesh, {});
  EXPECT_TRUE(mesh.triangles.empty());
}

TEST(Polygon, ConcaveOnesAreCoveredOnceAndKeepTheirWinding) {
  const std::vector<std::pair<double, double>> arrow = {{0, 0}, {4, 0}, {1, 1}, {0, 4}};
  const std::vector<std::pair<double, double>> l = {{2, 1}, {1, 1}, {1, 3}, {0, 3}, {0, 0}, {2, 0}};
  // A comb, cut by a fan from any of its corners.
  const std::vector<std::pair<double, double>> comb = {{0, 0}, {5, 0}, {5, 3}, {4, 3}, {4, 1}, {3, 1},
                                                       {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}};
  const std::vector<std::pair<std::vector<std::pair<double, double>>, double>> cases = {
      {arrow, 4}, {l, 4}, {comb, 11}};
  for (const auto& [outline, area] : cases)
    for (const bool reversed : {false, true}) {
      std::vector<std::pair<double, double>> turned = outline;
      if (reversed) turned.assign(outline.rbegin(), outline.rend());
      const TriangleMesh mesh = triangulated(tilted(turned));
      EXPECT_EQ(mesh.triangles.size(), outline.size() - 2);
      EXPECT_NEAR(coveredArea(mesh), area * std::sqrt(6), 1e-12);
      for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3 normal = cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a]);
        EXPECT_GE(reversed ? -normal.z : normal.z, 0);
      }
    }
}

TEST(Polygon, OneWithAHoleOnABridgeIsCoveredOnce) {
  // The inner square is reached by a cut from (0, 0) to (1, 1) and back.
  const TriangleMesh mesh =
      triangulated(tilted({{0, 0}, {3, 0}, {3, 3}, {0, 3}, {0, 0}, {1, 1}, {1, 2}, {2, 2}, {2, 1}, {1, 1}}));
  EXPECT_EQ(mesh.triangles.size(), 8u);
  EXPECT_NEAR(coveredArea(mesh), 8 * std::sqrt(6), 1e-12);
}

TEST(Polygon, DegenerateAndSelfCrossingOnesEndInTheRightCount) {
  EXPECT_EQ(triangulated({{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}).triangles.size(), 2u);
  EXPECT_EQ(triangulated({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {1, 0, 0}}).triangles.size(), 3u);
  EXPECT_EQ(triangulated({{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}, {3, 3, 3}}).triangles.size(), 3u);
}

TEST(Polygon, HugeOnesAreQuick) {
  std::vector<Vec3> star;
  const int n = 100000;
  for (int i = 0; i < n; ++i) {
    const double angle = 2 * std::acos(-1) * i / n, r = 1 + i % 2;
    star.push_back({r * std::cos(angle), r * std::sin(angle), 0});
  }
  EXPECT_EQ(triangulated(star).triangles.size(), static_cast<std::size_t>(n - 2));
}

}  // namespace
}  // namespace odemesh::sim
