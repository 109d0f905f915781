// Runs a planned world and sums up what happened.
#pragma once

#include <cstdint>
#include <functional>
#include <odemesh/sim/world.hpp>
#include <string>

#include "plan.hpp"

namespace odemesh::sandbox {

struct Summary {
  std::size_t bodies = 0;     ///< dynamic ones
  std::size_t triangles = 0;  ///< of the dynamic bodies
  sim::StepMetrics last;      ///< of the last step
  std::size_t most_contacts = 0;
  double greatest_depth = 0;  ///< m, over the whole run
  std::size_t rejected_contacts = 0;
  double mean_collision_ms = 0;
  double mean_solver_ms = 0;
  double rms_speed = 0;  ///< over the last quarter of a second
  bool at_rest = false;
  double rest_threshold = 0;
  double lowest_point = 0;  ///< m, of any body, over the ground's level
  std::string failure;      ///< empty for a run that did not fail
};

/// Steps the scene as the plan says, and calls `on_step` after each step. A run has failed if the world
/// failed or if a body ends with its lowest point deeper below the ground's level than a tenth of its radius.
[[nodiscard]] Summary run(sim::SceneRun& scene, const Plan& plan, bool stop_at_rest,
                          const std::function<void(const sim::StepMetrics&)>& on_step);

}  // namespace odemesh::sandbox
