// A camera that is moved with the mouse: around a target, sideways, nearer and farther.
#pragma once

#include <odemesh/sim/render/camera.hpp>

namespace odemesh::viewer {

/// A half line in the world frame; `direction` is of unit length.
struct Ray {
  Vec3 origin;
  Vec3 direction;
};

/// Angles in radians, lengths in metres. Pixels are counted from the upper left corner of the picture.
class OrbitCamera {
 public:
  /// The mouse moved by so many pixels. A drag over the height of the picture turns by half a circle; up and
  /// down it stops short of the vertical.
  void orbit(double right, double down, int height);
  /// Moves the target with the mouse: what lies at the target's distance follows the cursor.
  void pan(double right, double down, int height);
  /// One step of the wheel brings the eye nearer by a tenth.
  void zoom(double steps);
  /// Looks at everything in `snapshot` that is not surroundings, from the same direction.
  void frameAll(const sim::Snapshot& snapshot, double aspect);

  [[nodiscard]] sim::Camera camera() const;
  /// The ray through the point (x, y) of a picture of `width` x `height` pixels.
  [[nodiscard]] Ray rayThrough(double x, double y, int width, int height) const;

 private:
  [[nodiscard]] Vec3 back() const;  ///< from the target to the eye, of unit length
  [[nodiscard]] Vec3 right() const;
  [[nodiscard]] double pixelLength(int height) const;  ///< at the target

  Vec3 target_;
  double distance_ = 5;
  double azimuth_ = -1.19;
  double elevation_ = 0.42;
};

}  // namespace odemesh::viewer
