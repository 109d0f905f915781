// Which body is under the cursor, and the spring that drags it.
#pragma once

#include <odemesh/sim/render/snapshot.hpp>
#include <odemesh/sim/world.hpp>
#include <optional>

#include "viewer/orbit_camera.hpp"

namespace odemesh::viewer {

struct Hit {
  std::size_t body;  ///< index in the world
  Vec3 point;        ///< in the world frame
  double distance;
};

/// The first body that `ray` meets among those that are not surroundings. O(number of triangles).
[[nodiscard]] std::optional<Hit> pick(const sim::Snapshot& snapshot, const Ray& ray);

/// The first of the surroundings that `ray` meets, the ground included; empty beside them.
[[nodiscard]] std::optional<Vec3> meetSurroundings(const sim::Snapshot& snapshot, const Ray& ray);

/// A critically damped spring between a point of a body and a target that follows the cursor in the plane
/// through the grabbed point, facing the camera.
class Drag {
 public:
  Drag(const sim::World& world, const Hit& hit, const Ray& ray, const Vec3& view_direction);

  /// Moves the target to where `ray` meets the plane.
  void moveTo(const Ray& ray);
  /// Adds the spring's force for the next step; it carries the body's weight too, and is at most 500 N for
  /// each of its kilograms.
  void apply(sim::World& world) const;

  [[nodiscard]] std::size_t body() const { return body_; }
  [[nodiscard]] const Vec3& target() const { return target_; }
  /// Where the grabbed point is now.
  [[nodiscard]] Vec3 point(const sim::World& world) const;

 private:
  std::size_t body_;
  Vec3 local_;
  Vec3 plane_normal_;
  Vec3 target_;
};

}  // namespace odemesh::viewer
