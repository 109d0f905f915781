#include <gtest/gtest.h>

#include "viewer/orbit_camera.hpp"

namespace odemesh::viewer {
namespace {

double distanceOf(const OrbitCamera& camera) {
  return length(camera.camera().eye - camera.camera().target);
}

TEST(OrbitCamera, RaysGoThroughWhatIsDrawnThere) {
  OrbitCamera camera;
  camera.orbit(123, -45, 480);
  camera.pan(60, 10, 480);
  for (const auto& [x, y] : {std::pair{320.0, 240.0}, {0.0, 0.0}, {600.0, 13.0}}) {
    const Ray ray = camera.rayThrough(x, y, 640, 480);
    EXPECT_NEAR(length(ray.direction), 1, 1e-12);
    const auto point = sim::project(camera.camera(), ray.origin + ray.direction * 3, 640, 480);
    ASSERT_TRUE(point);
    EXPECT_NEAR(point->x, x, 1e-6);
    EXPECT_NEAR(point->y, y, 1e-6);
  }
}

TEST(OrbitCamera, OrbitKeepsTheDistanceAndStopsShortOfTheVertical) {
  OrbitCamera camera;
  const double distance = distanceOf(camera);
  for (const double down : {100.0, 1e6, -1e6}) {
    camera.orbit(77, down, 480);
    EXPECT_NEAR(distanceOf(camera), distance, 1e-9);
    EXPECT_EQ(camera.camera().target, Vec3{});
    const Vec3 back = camera.camera().eye / distance;
    EXPECT_LT(std::abs(back.z), 0.9999);
  }
}

TEST(OrbitCamera, WhatLiesAtTheTargetFollowsThePanningCursor) {
  OrbitCamera camera;
  const Vec3 target = camera.camera().target;
  camera.pan(100, -30, 480);
  const auto point = sim::project(camera.camera(), target, 640, 480);
  ASSERT_TRUE(point);
  EXPECT_NEAR(point->x, 320 + 100, 1e-6);
  EXPECT_NEAR(point->y, 240 - 30, 1e-6);
}

TEST(OrbitCamera, ZoomIsReversibleAndLimited) {
  OrbitCamera camera;
  const double distance = distanceOf(camera);
  camera.zoom(1);
  EXPECT_NEAR(distanceOf(camera), 0.9 * distance, 1e-12);
  camera.zoom(-1);
  EXPECT_NEAR(distanceOf(camera), distance, 1e-12);
  camera.zoom(1e9);
  EXPECT_NO_THROW(sim::validate(camera.camera()));
  camera.zoom(-1e9);
  EXPECT_NO_THROW(sim::validate(camera.camera()));
}

}  // namespace
}  // namespace odemesh::viewer
