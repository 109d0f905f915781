#include <algorithm>
#include <limits>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/render/camera.hpp>

#include "render/bounds.hpp"
#include "render/matrix.hpp"

namespace odemesh::sim {

namespace {

constexpr double kRoomAround = 1.08;
constexpr double kSmallestDistance = 1e-6;
constexpr double kDistanceWithoutBodies = 5;

}  // namespace

void validate(const Camera& camera) {
  if (!isFinite(camera.eye) || !isFinite(camera.target) || length(camera.eye - camera.target) < 1e-9)
    throw InputError("camera: eye and target have to be finite and at least 1e-9 apart");
  if (!(camera.field_of_view >= 1 && camera.field_of_view <= 150))
    throw InputError("camera: a field of view of " + std::to_string(camera.field_of_view) +
                     " degrees; choose 1 to 150");
}

std::optional<ProjectedPoint> project(const Camera& camera, const Vec3& point, int width, int height) {
  const Vec3 seen = render::lookAt(camera.eye, camera.target).apply(point);
  if (!(seen.z < 0)) return std::nullopt;
  const double scale = 0.5 * height / (render::halfHeight(camera) * -seen.z);
  return ProjectedPoint{0.5 * width + seen.x * scale, 0.5 * height - seen.y * scale, -seen.z};
}

Camera frameAll(Camera camera, const Snapshot& snapshot, double aspect) {
  const Vec3 back = normalised(camera.eye - camera.target, {0, 0, 1});
  const Mat3 axes = render::lookAt(back, {}).rotation;
  const double half_height = render::halfHeight(camera) / kRoomAround;
  const double half_width = half_height * aspect;
  // With the eye at (a, b, c) along the camera's axes, a point (x, y, z) is in the picture if
  // |x - a| <= half_width (c - z) and |y - b| <= half_height (c - z). Each of the four sides bounds a +
  // half_width c and so on by the largest value over all points, which gives the nearest eye at once.
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  double right = kNone, left = kNone, up = kNone, down = kNone, front = kNone, rear = -kNone;
  render::forEachDrawnVertex(snapshot, [&](const Vec3& vertex) {
    const Vec3 p = axes * vertex;
    right = std::max(right, p.x + half_width * p.z);
    left = std::max(left, -p.x + half_width * p.z);
    up = std::max(up, p.y + half_height * p.z);
    down = std::max(down, -p.y + half_height * p.z);
    front = std::max(front, p.z);
    rear = std::min(rear, p.z);
  });
  if (front < rear) {
    camera.target = {};
    camera.eye = back * kDistanceWithoutBodies;
    return camera;
  }
  const double c = std::max({(right + left) / (2 * half_width), (up + down) / (2 * half_height), front});
  const Vec3 centre{(right - left) / 2, (up - down) / 2, (front + rear) / 2};
  const double distance = std::max(c - centre.z, kSmallestDistance);
  camera.target = axes.transposed() * centre;
  camera.eye = camera.target + back * distance;
  return camera;
}

}  // namespace odemesh::sim
