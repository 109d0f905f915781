#include <gtest/gtest.h>

#include <algorithm>
#include <odemesh/bounding_boxes.hpp>
#include <random>

namespace odemesh {
namespace {

std::shared_ptr<const Mesh> randomTriangles(std::size_t count, double offset) {
  std::mt19937 random(7);
  const auto coordinate = [&] { return static_cast<double>(random()) / 4294967296.0; };
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> indices;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 centre{10 * coordinate() + offset, 10 * coordinate(), 10 * coordinate()};
    for (int corner = 0; corner < 3; ++corner) {
      indices.push_back(static_cast<std::uint32_t>(vertices.size()));
      vertices.push_back(centre + 0.1 * Vec3{coordinate(), coordinate(), coordinate()});
    }
  }
  return Mesh::build(vertices, indices).mesh;
}

bool contains(const BoundingBox& box, const Vec3& p) {
  for (int axis = 0; axis < 3; ++axis)
    if (p[axis] < box.low[axis] || p[axis] > box.high[axis]) return false;
  return true;
}

double volume(const std::vector<BoundingBox>& boxes) {
  double sum = 0;
  for (const BoundingBox& box : boxes) {
    const Vec3 size = box.high - box.low;
    sum += size.x * size.y * size.z;
  }
  return sum;
}

TEST(BoundingBoxes, EveryLevelHoldsAllTriangles) {
  for (const double offset : {0.0, 1e6}) {
    const auto mesh = randomTriangles(500, offset);
    for (const std::size_t level : {0, 1, 2, 5, 9, 1000}) {
      const std::vector<BoundingBox> boxes = boundingBoxes(*mesh, level);
      ASSERT_GE(boxes.size(), 1U);
      EXPECT_LE(boxes.size(), std::size_t{1} << std::min<std::size_t>(3 * level, 60));
      for (std::size_t t = 0; t < mesh->triangleCount(); ++t)
        EXPECT_TRUE(std::any_of(boxes.begin(), boxes.end(),
                                [&](const BoundingBox& box) {
                                  return contains(box, mesh->vertex(t, 0)) &&
                                         contains(box, mesh->vertex(t, 1)) &&
                                         contains(box, mesh->vertex(t, 2));
                                }))
            << "triangle " << t << ", level " << level;
    }
    EXPECT_EQ(boundingBoxes(*mesh, 0).size(), 1U);
    EXPECT_LT(volume(boundingBoxes(*mesh, 2)), 0.8 * volume(boundingBoxes(*mesh, 0)));
  }
}

TEST(BoundingBoxes, TheFirstIsTight) {
  const std::vector<Vec3> vertices = {{1, 2, 3}, {2, 2, 3}, {1, 5, 4}};
  const std::vector<std::uint32_t> indices = {0, 1, 2};
  const auto boxes = boundingBoxes(*Mesh::build(vertices, indices).mesh, 0);
  ASSERT_EQ(boxes.size(), 1U);
  EXPECT_NEAR(length(boxes[0].low - Vec3{1, 2, 3}), 0, 1e-5);
  EXPECT_NEAR(length(boxes[0].high - Vec3{2, 5, 4}), 0, 1e-5);
}

}  // namespace
}  // namespace odemesh
