#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/shapes.hpp>
#include <utility>

namespace odemesh::sim {
namespace {

/// Directed edges that are not matched by exactly one edge the other way round.
std::size_t unmatchedEdges(const TriangleMesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> directed;
  for (const auto& t : mesh.triangles)
    for (int i = 0; i < 3; ++i) ++directed[{t[i], t[(i + 1) % 3]}];
  std::size_t unmatched = 0;
  for (const auto& [edge, count] : directed) {
    const auto back = directed.find({edge.second, edge.first});
    if (count != 1 || back == directed.end() || back->second != 1) ++unmatched;
  }
  return unmatched;
}

double smallestArea(const TriangleMesh& mesh) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const auto& [a, b, c] : mesh.triangles)
    smallest =
        std::min(smallest,
                 length(cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a])) / 2);
  return smallest;
}

double signedVolume(const TriangleMesh& mesh) {
  double volume = 0;
  for (const auto& [a, b, c] : mesh.triangles)
    volume += dot(mesh.vertices[a], cross(mesh.vertices[b], mesh.vertices[c])) / 6;
  return volume;
}

struct Expected {
  TriangleMesh mesh;
  std::size_t triangles;
  double volume;  ///< of the polyhedron, not of the smooth solid
};

/// Area of a regular n-gon whose corners lie on a circle.
double polygonArea(double radius, int n) {
  return n * radius * radius * std::sin(2 * std::acos(-1) / n) / 2;
}

TEST(Shapes, ClosedOnesHaveTheirCountsVolumesAndNoOpenEdge) {
  const std::vector<Expected> shapes = {
      {makeBox({1, 2, 3}), 12, 6},
      {makeBox({1, 2, 3}, 1), 48, 6},
      {makeBox({1, 2, 3}, 4), 300, 6},
      {makeCylinder(0.5, 2), 64, 2 * polygonArea(0.5, 16)},
      {makeCylinder(0.5, 2, 3), 12, 2 * polygonArea(0.5, 3)},
      {makeCone(0.5, 3), 32, polygonArea(0.5, 16)},
  };
  for (const Expected& shape : shapes) {
    EXPECT_EQ(shape.mesh.triangles.size(), shape.triangles) << shape.mesh.name;
    EXPECT_NEAR(signedVolume(shape.mesh), shape.volume, 1e-12) << shape.mesh.name;
    EXPECT_EQ(unmatchedEdges(shape.mesh), 0u) << shape.mesh.name;
    EXPECT_GT(smallestArea(shape.mesh), 1e-3) << shape.mesh.name;
  }
}

TEST(Shapes, RoundOnesHaveTheirCountsAndApproachTheSmoothVolume) {
  const double pi = std::acos(-1);
  const double ball = 4 * pi / 3;
  const std::vector<Expected> fine = {
      {makeSphere(1, 200, 100), 40000, ball},
      {makeIcosphere(1, 5), 20480, ball},
      {makeTorus(2, 0.5, 200, 100), 40000, 2 * pi * pi * 2 * 0.25},
      {makeCapsule(1, 2, 200, 50), 40000, ball + 2 * pi},
      {makeBowl(1, 0.5, 200, 50), 40000, ball / 2 * (1.5 * 1.5 * 1.5 - 1)},
  };
  for (const Expected& shape : fine) {
    EXPECT_EQ(shape.mesh.triangles.size(), shape.triangles) << shape.mesh.name;
    EXPECT_NEAR(signedVolume(shape.mesh), shape.volume, 2e-3 * shape.volume) << shape.mesh.name;
    EXPECT_EQ(unmatchedEdges(shape.mesh), 0u) << shape.mesh.name;
    EXPECT_GT(smallestArea(shape.mesh), 0) << shape.mesh.name;
  }
}

TEST(Shapes, DefaultsAreTheCountsThatAreDocumented) {
  EXPECT_EQ(makeSphere(1).triangles.size(), 256u);
  EXPECT_EQ(makeSphere(1, 3, 1).triangles.size(), 6u);
  EXPECT_EQ(makeIcosphere(1, 0).triangles.size(), 20u);
  EXPECT_EQ(makeIcosphere(1).triangles.size(), 320u);
  EXPECT_EQ(makeTorus(2, 1).triangles.size(), 1024u);
  EXPECT_EQ(makeCapsule(1, 1).triangles.size(), 256u);
  EXPECT_EQ(makeBowl(1, 0.1).triangles.size(), 2304u);
  EXPECT_EQ(makePlaneGrid(1, 1).triangles.size(), 2u);
}

TEST(Shapes, CoarsestOnesAreClosedToo) {
  for (const TriangleMesh& mesh :
       {makeCone(1, 1, 3), makeSphere(1, 3, 1), makeIcosphere(1, 0), makeTorus(2, 1, 3, 3),
        makeCapsule(1, 1, 3, 1), makeBowl(1, 0.001, 3, 1)}) {
    EXPECT_EQ(unmatchedEdges(mesh), 0u) << mesh.name;
    EXPECT_GT(signedVolume(mesh), 0) << mesh.name;
  }
}

TEST(Shapes, SphereVerticesLieOnTheSphere) {
  for (const TriangleMesh& mesh : {makeSphere(2.5), makeIcosphere(2.5)})
    for (const Vec3& vertex : mesh.vertices) EXPECT_NEAR(length(vertex), 2.5, 1e-12) << mesh.name;
}

TEST(Shapes, PlaneGridIsAnOpenSheetThatFacesUp) {
  const TriangleMesh plane = makePlaneGrid(4, 2, 3, 5);
  EXPECT_EQ(plane.triangles.size(), 30u);
  double area = 0;
  for (const auto& [a, b, c] : plane.triangles) {
    const Vec3 twice = cross(plane.vertices[b] - plane.vertices[a], plane.vertices[c] - plane.vertices[a]);
    EXPECT_GT(twice.z, 0);
    area += twice.z / 2;
  }
  EXPECT_NEAR(area, 8, 1e-12);
  EXPECT_EQ(unmatchedEdges(plane), 16u);
}

TEST(Shapes, BowlHasItsLowestInnerPointAtTheOriginAndItsRimAbove) {
  const TriangleMesh bowl = makeBowl(2, 0.25);
  double lowest = 0, highest = 0;
  bool origin = false;
  for (const Vec3& vertex : bowl.vertices) {
    lowest = std::min(lowest, vertex.z);
    highest = std::max(highest, vertex.z);
    origin = origin || vertex == Vec3{0, 0, 0};
  }
  EXPECT_DOUBLE_EQ(lowest, -0.25);
  EXPECT_DOUBLE_EQ(highest, 2);
  EXPECT_TRUE(origin);
}

template <typename Make>
std::string refusal(const Make& make) {
  try {
    (void)make();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Shapes, BadParametersAreRefusedByName) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal([&] {
              return makeBox({1, -1, 1});
            }),
            "box: size y is -1; give a length from 1e-6 to 1e6 metres");
  EXPECT_EQ(refusal([&] {
              return makeBox({1, 1, 1}, -1);
            }),
            "box: the number of cuts is -1; give a whole number from 0 to 1000");
  EXPECT_NE(refusal([&] { return makeCylinder(nan, 1); }).find("cylinder: the radius is nan"),
            std::string::npos);
  EXPECT_NE(refusal([&] { return makeCylinder(1, inf); }).find("cylinder: the height is inf"),
            std::string::npos);
  EXPECT_NE(refusal([&] { return makeCone(1, 1, 2); }).find("from 3 to 1000"), std::string::npos);
  EXPECT_NE(refusal([&] { return makeSphere(0); }).find("sphere: the radius is 0"), std::string::npos);
  EXPECT_NE(refusal([&] { return makeSphere(1, 16, 0); }).find("parallels"), std::string::npos);
  EXPECT_NE(refusal([&] { return makeSphere(1, 2000000000, 8); }).find("meridians"), std::string::npos);
  EXPECT_NE(refusal([&] { return makeIcosphere(1, 9); }).find("from 0 to 8"), std::string::npos);
  EXPECT_NE(refusal([&] { return makeTorus(1, 1); }).find("less than 0.999 of the major radius"),
            std::string::npos);
  EXPECT_NE(refusal([&] { return makeCapsule(1, 1, 8, 0); }).find("rings"), std::string::npos);
  EXPECT_NE(refusal([&] { return makePlaneGrid(1, 1, 0, 1); }).find("cells along x"), std::string::npos);
  EXPECT_NE(refusal([&] { return makeBowl(1, 1e-5); }).find("thousandth of the radius"), std::string::npos);
}

}  // namespace
}  // namespace odemesh::sim
