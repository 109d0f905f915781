// What the matrices of one picture are made from.
#pragma once

#include "render/matrix.hpp"

namespace odemesh::sim::render {

/// The scene has world axes and the camera's target as its origin.
struct View {
  Vec3 origin;
  Vec3 eye;
  double distance;  ///< from the eye to its target
  Mat4 to_clip;

  View(const Camera& camera, double aspect)
      : origin(camera.target), eye(camera.eye - camera.target), distance(length(eye)) {
    const Mat4 projection = perspective(halfHeight(camera), aspect, 0.01 * distance, 100 * distance);
    to_clip = projection * fromPose(lookAt(eye, {}));
  }

  [[nodiscard]] Mat4 placed(const Pose& pose, const Vec3& local_origin) const {
    return fromPose({pose.rotation, pose.rotate(local_origin) + (pose.translation - origin)});
  }

  /// False for spheres of the scene that lie beside the picture, behind the eye or too far away. The sides
  /// are where x, y or z is w or -w in clip space (Gribb and Hartmann 2001).
  [[nodiscard]] bool mayShow(const Vec3& centre, double radius) const {
    const auto& w = to_clip.row[3];
    for (int axis = 0; axis < 3; ++axis)
      for (const double sign : {-1.0, 1.0}) {
        const auto& row = to_clip.row[axis];
        const Vec3 inward{w[0] + sign * row[0], w[1] + sign * row[1], w[2] + sign * row[2]};
        if (dot(inward, centre) + w[3] + sign * row[3] < -radius * length(inward)) return false;
      }
    return true;
  }
};

}  // namespace odemesh::sim::render
