#include "viewer/orbit_camera.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace odemesh::viewer {
namespace {

constexpr double kSteepest = 1.55;
constexpr double kNearest = 1e-4;
constexpr double kFarthest = 1e5;
constexpr double kFieldOfView = 35;  // degrees

double halfHeight() {
  return std::tan(kFieldOfView * std::numbers::pi / 360);
}

}  // namespace

void OrbitCamera::orbit(double right, double down, int height) {
  azimuth_ = std::remainder(azimuth_ - right * std::numbers::pi / height, 2 * std::numbers::pi);
  elevation_ = std::clamp(elevation_ + down * std::numbers::pi / height, -kSteepest, kSteepest);
}

void OrbitCamera::pan(double right_pixels, double down_pixels, int height) {
  const Vec3 up = cross(back(), right());
  target_ += (up * down_pixels - right() * right_pixels) * pixelLength(height);
}

void OrbitCamera::zoom(double steps) {
  distance_ = std::clamp(distance_ * std::pow(0.9, steps), kNearest, kFarthest);
}

void OrbitCamera::frameAll(const sim::Snapshot& snapshot, double aspect) {
  const sim::Camera framed = sim::frameAll(camera(), snapshot, aspect);
  target_ = framed.target;
  distance_ = std::clamp(length(framed.eye - framed.target), kNearest, kFarthest);
}

sim::Camera OrbitCamera::camera() const {
  return {target_ + back() * distance_, target_, kFieldOfView};
}

Ray OrbitCamera::rayThrough(double x, double y, int width, int height) const {
  const Vec3 up = cross(back(), right());
  const double scale = 2 * halfHeight() / height;
  const Vec3 direction = right() * ((x - 0.5 * width) * scale) - up * ((y - 0.5 * height) * scale) - back();
  return {target_ + back() * distance_, normalised(direction)};
}

Vec3 OrbitCamera::back() const {
  return {std::cos(elevation_) * std::cos(azimuth_), std::cos(elevation_) * std::sin(azimuth_),
          std::sin(elevation_)};
}

Vec3 OrbitCamera::right() const {
  return {-std::sin(azimuth_), std::cos(azimuth_), 0};
}

double OrbitCamera::pixelLength(int height) const {
  return 2 * halfHeight() * distance_ / height;
}

}  // namespace odemesh::viewer
