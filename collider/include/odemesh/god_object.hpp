// A point that follows a goal and stays outside a mesh (Zilles and Salisbury 1995, by the steps of CS277):
// the proxy or god-object of haptic rendering, where a spring from the goal to it gives the force of the
// surface.
#pragma once

#include <odemesh/export.h>

#include <memory>
#include <odemesh/mesh.hpp>
#include <odemesh/pose.hpp>

namespace odemesh {

/// Keeps its place in the frame of the mesh, so that a mesh that moves takes it along instead of passing
/// through it. The mesh may be open; from either side it is an obstacle.
class GodObject {
 public:
  /// Starts at `position`, in the world frame, wherever that is: outside a closed mesh it stays outside, and
  /// inside it stays inside. `pose` takes the mesh to the world. Without a mesh nothing stops it.
  ODEMESH_API GodObject(std::shared_ptr<const Mesh> mesh, const Pose& pose, const Vec3& position);

  /// Where a god-object is, and what holds it there.
  struct State {
    Vec3 position;        ///< world
    int constraints = 0;  ///< surfaces that it slides on: 0 free, 1 a plane, 2 a line, 3 held at a point
    Vec3 normal[3];       ///< unit, world, towards the god-object; the first `constraints` of them
  };

  /// Moves towards `goal` (world) until a surface stops it, then along that plane as near to the goal as it
  /// gets, then along the line in which a second one cuts it, and stops at a third. Each leg is cast against
  /// the mesh, so that it never goes through. It stops short of surfaces by a millionth of the mesh's radius.
  /// With a pose or goal that is not finite it stays.
  ODEMESH_API State moveTo(const Pose& pose, const Vec3& goal);

 private:
  std::shared_ptr<const Mesh> mesh_;
  Vec3 local_;  ///< its place in the mesh's frame
  Pose pose_;   ///< the last finite one
};

}  // namespace odemesh
