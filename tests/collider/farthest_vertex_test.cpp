// The vertex of a convex mesh that lies farthest along a direction, against a look at all of them.
#include "contact/way_out/farthest_vertex.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "test_meshes.hpp"

namespace odemesh::test {
namespace {

double highest(const Mesh& mesh, const Vec3& direction) {
  double out = dot(direction, mesh.vertices()[0]);
  for (const Vec3& v : mesh.vertices()) out = std::max(out, dot(direction, v));
  return out;
}

Vec3 rounded(const Vec3& v) {
  return {double(float(v.x)), double(float(v.y)), double(float(v.z))};
}

/// Along face and vertex normals, and between; heights may differ by what storing floats may do.
void expectFarthest(const Mesh& mesh, std::mt19937_64& random) {
  ASSERT_TRUE(mesh.isConvex());
  std::normal_distribution<double> normal;
  std::vector<Vec3> directions;
  for (int i = 0; i < 300; ++i)
    directions.push_back(normalised({normal(random), normal(random), normal(random)}));
  for (std::size_t t = 0; t < mesh.triangleCount(); t += mesh.triangleCount() / 100 + 1) {
    directions.push_back(mesh.normal(t));
    directions.push_back(normalised(mesh.normal(t) + directions[t % 300] * 1e-6));
    directions.push_back(normalised(mesh.normal(t) + directions[t % 300] * 1e-3));
  }
  for (const Vec3& d : directions)
    EXPECT_NEAR(dot(d, mesh.vertices()[farthestVertex(mesh, d)]), highest(mesh, d),
                2e-6 * mesh.sphereRadius());
}

Soup squashed(Soup soup, double height) {
  for (Vec3& v : soup.vertices) v.z *= height;
  return soup;
}

TEST(FarthestVertexTest, IsThatOfAllVertices) {
  std::mt19937_64 random(3);
  for (const Soup& soup :
       {boxSoup({1, 2, 3}), boxSoup({1, 2, 3}, 12), boxSoup({40, 1, 0.1}, 30), sphereSoup(1, 8, 6),
        sphereSoup(2, 32, 16), sphereSoup(1, 200, 100), squashed(sphereSoup(1, 60, 30), 0.05)}) {
    for (int turned = 0; turned < 4; ++turned) {
      const Mat3 rotation = turned == 0 ? Mat3{} : randomRotation(random);
      Soup copy = soup;
      for (Vec3& v : copy.vertices) v = rounded(rotation * v);
      expectFarthest(*copy.build(), random);
    }
  }
}

/// Its base, in the plane of x and y, is cut into squares; the tip is above its middle.
Soup pyramidOnFineBase(int cells) {
  const auto at = [&](int i, int j) { return Vec3{2.0 * i / cells - 1, 2.0 * j / cells - 1, 0}; };
  const Vec3 tip{0, 0, 1};
  Soup out;
  for (int i = 0; i < cells; ++i) {
    for (int j = 0; j < cells; ++j) {
      out.addTriangle(at(i, j), at(i + 1, j + 1), at(i + 1, j));
      out.addTriangle(at(i, j), at(i, j + 1), at(i + 1, j + 1));
    }
    out.addTriangle(at(i, 0), at(i + 1, 0), tip);
    out.addTriangle(at(i + 1, cells), at(i, cells), tip);
    out.addTriangle(at(0, i + 1), at(0, i), tip);
    out.addTriangle(at(cells, i), at(cells, i + 1), tip);
  }
  return out;
}

// Inside of the lowest face, no neighbour is higher but for rounding.
TEST(FarthestVertexTest, IsFoundFromAFineFaceBelow) {
  std::mt19937_64 random(4);
  for (int cells = 6; cells < 40; ++cells) {
    const Mat3 rotation = randomRotation(random);
    Soup soup = pyramidOnFineBase(cells);
    for (Vec3& v : soup.vertices) v = rotation * v;
    const MeshPtr mesh = soup.build();
    ASSERT_TRUE(mesh->isConvex());
    const Vec3 up = rotation * Vec3{0, 0, 1};
    EXPECT_NEAR(dot(up, mesh->vertices()[farthestVertex(*mesh, up)]), 1, 1e-9) << cells;
  }
}

}  // namespace
}  // namespace odemesh::test
