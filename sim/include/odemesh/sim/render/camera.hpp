// Where a picture is taken from.
#pragma once

#include <odemesh/pose.hpp>
#include <odemesh/sim/render/snapshot.hpp>
#include <optional>

namespace odemesh::sim {

/// A perspective camera at `eye` that looks at `target`, with z up. World frame, the units of the meshes.
struct Camera {
  Vec3 eye{3, -5, 3};
  Vec3 target{0, 0, 0};
  double field_of_view = 35;  ///< degrees, of the picture's height; 1 to 150
};

/// A point in a picture: pixels from its left and upper edges (the middle of the first pixel is 0.5), and how
/// far it is in front of the eye.
struct ProjectedPoint {
  double x, y;
  double distance;
};

/// Where `point` appears in a picture of `width` x `height` pixels; empty if it lies behind the eye.
[[nodiscard]] std::optional<ProjectedPoint> project(const Camera& camera, const Vec3& point, int width,
                                                    int height);

/// The same camera, moved along its view so that every body which is not surroundings fits a picture of that
/// shape
/// (`aspect` = width / height > 0) with a little room around. Without such bodies it looks at the origin.
/// O(number of vertices).
[[nodiscard]] Camera frameAll(Camera camera, const Snapshot& snapshot, double aspect);

/// Throws InputError if the camera can't see anything: eye and target equal or not finite, or a bad field of
/// view.
void validate(const Camera& camera);

}  // namespace odemesh::sim
