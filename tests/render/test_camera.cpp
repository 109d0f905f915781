#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/render/camera.hpp>

#include "render/scenes.hpp"

namespace odemesh::sim {
namespace {

TEST(Camera, ProjectsItsTargetToTheMiddle) {
  const Camera camera{{4, -3, 2}, {1, 0.5, -0.25}, 40};
  const auto middle = project(camera, camera.target, 640, 480);
  ASSERT_TRUE(middle);
  EXPECT_NEAR(middle->x, 320, 1e-9);
  EXPECT_NEAR(middle->y, 240, 1e-9);
  EXPECT_NEAR(middle->distance, length(camera.eye - camera.target), 1e-12);
}

// Seen from -y with 90 degrees, the upper border at distance 2 is 2 above the axis, and +x is on the right.
TEST(Camera, KeepsUpAboveAndRightOnTheRight) {
  const Camera camera{{0, -2, 0}, {0, 0, 0}, 90};
  const auto upper = project(camera, {0, 0, 2}, 400, 400);
  const auto right = project(camera, {2, 0, 0}, 400, 400);
  ASSERT_TRUE(upper && right);
  EXPECT_NEAR(upper->x, 200, 1e-9);
  EXPECT_NEAR(upper->y, 0, 1e-9);
  EXPECT_NEAR(right->x, 400, 1e-9);
  EXPECT_NEAR(right->y, 200, 1e-9);
  EXPECT_FALSE(project(camera, {0, -3, 0}, 400, 400));
}

/// The least distance of a vertex of the first `count` bodies to the picture's border, as a share of the
/// picture.
double nearestBorder(const Snapshot& snapshot, std::size_t count, const Camera& camera, int width,
                     int height) {
  double nearest = 1;
  for (std::size_t b = 0; b < count; ++b) {
    for (const Vec3& vertex : snapshot.bodies[b].mesh->vertices) {
      const auto p = project(camera, snapshot.bodies[b].pose.apply(vertex), width, height);
      if (!p) return -1;
      nearest = std::min({nearest, p->x / width, 1 - p->x / width, p->y / height, 1 - p->y / height});
    }
  }
  return nearest;
}

TEST(Camera, FramesAllBodiesTightly) {
  Snapshot snapshot;
  snapshot.bodies = {boxAt({0, 0, 0}, {}), boxAt({5, 1, 2}, {}), boxAt({-2, 7, 0.5}, {})};
  snapshot.bodies.push_back(boxAt({0, 0, -500}, {}, 900));
  snapshot.bodies.back().surroundings = true;
  for (const Vec3& eye : {Vec3{3, -5, 3}, Vec3{0, 0, 10}, Vec3{-1, -1, -1}}) {
    for (const auto& [width, height] : {std::pair{640, 480}, std::pair{300, 900}}) {
      const Camera camera = frameAll({eye, {}, 35}, snapshot, static_cast<double>(width) / height);
      EXPECT_NO_THROW(validate(camera));
      const double border = nearestBorder(snapshot, 3, camera, width, height);
      EXPECT_GT(border, 0.0);
      EXPECT_LT(border, 0.05);
    }
  }
}

TEST(Camera, FramesNothingAndNonsense) {
  EXPECT_NO_THROW(validate(frameAll({}, {}, 1.5)));
  Snapshot snapshot;
  snapshot.bodies = {boxAt({0, 0, 0}, {}), {nullptr, {}, {}, false}};
  snapshot.bodies[0].pose.translation.x = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(frameAll({}, snapshot, 1.5).target, Vec3{});
}

TEST(Camera, RefusesWhatSeesNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(validate({{1, 2, 3}, {1, 2, 3}, 35}), InputError);
  EXPECT_THROW(validate({{nan, 2, 3}, {1, 2, 3}, 35}), InputError);
  EXPECT_THROW(validate({{0, 2, 3}, {1, 2, 3}, 0}), InputError);
  EXPECT_THROW(validate({{0, 2, 3}, {1, 2, 3}, 180}), InputError);
  EXPECT_THROW(validate({{0, 2, 3}, {1, 2, 3}, nan}), InputError);
}

}  // namespace
}  // namespace odemesh::sim
