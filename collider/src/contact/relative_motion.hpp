// How the meshes of a query move, where the caller knows.
#pragma once

#include <odemesh/pose.hpp>

namespace odemesh {

/// The motion of mesh 1 seen from mesh 2, in the world.
struct RelativeMotion {
  Vec3 about;          ///< a point that both share
  Vec3 velocity;       ///< there
  Vec3 spin;           ///< angular velocity
  double gravity = 0;  ///< the acceleration that it takes speed to climb against

  [[nodiscard]] Vec3 at(const Vec3& point) const { return velocity + cross(spin, point - about); }
  [[nodiscard]] RelativeMotion reversed() const { return {about, -velocity, -spin, gravity}; }
};

}  // namespace odemesh
