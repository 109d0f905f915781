// What a scene costs with odemesh and with ODE's own collider, run in one process, some dozens of steps of
// each in turn.
#pragma once

#include <odemesh/sim/scenes/scene.hpp>
#include <string>

namespace odemesh::sim {

/// Which states ODE's collider is measured at.
enum class CostStates {
  kOwn,   ///< those that its own contacts lead to; a stack that is thrown apart soon costs nothing
  kSame,  ///< those of the run with odemesh, set anew before each step
};

/// Medians over the steps in which bounding boxes of geoms overlap.
struct Cost {
  double collision_ms = 0;  ///< broad phase, colliders and contact joints
  double step_ms = 0;       ///< the collision and the solver
  double contacts = 0;
};

struct CostReport {
  Cost odemesh, ode;
  int steps = 0;  ///< measured, the lesser of both; 0 if they were too few
  std::string failure;

  /// How many times faster odemesh is.
  [[nodiscard]] double collisionRatio() const { return ode.collision_ms / odemesh.collision_ms; }
  [[nodiscard]] double stepRatio() const { return ode.step_ms / odemesh.step_ms; }
};

/// Runs the scene with both colliders for at most `seconds` of the wall's clock. A scene without a duration
/// is collided at its beginning some dozens of times.
[[nodiscard]] CostReport measureCost(const Scene& scene, const SceneOptions& options, CostStates states,
                                     double seconds);

}  // namespace odemesh::sim
