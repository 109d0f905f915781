// Runs a planned world and sums up what happened.
#pragma once

#include <odemesh/odemesh.h>

#include <cstdint>
#include <odemesh/sim/rest_monitor.hpp>
#include <odemesh/sim/trial.hpp>
#include <optional>
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
  double rms_speed = 0;     ///< over the last `rest_seconds`
  double rest_seconds = 0;  ///< a quarter of a second, or a shorter run
  bool at_rest = false;
  double rest_threshold = 0;
  double lowest_point = 0;     ///< m, of any body, over the ground's level
  bool has_ground = false;     ///< that `lowest_point` is over; else it is over z = 0
  std::string failure;         ///< empty for a run that did not fail
  odemeshCounters counters{};  ///< of the run; zero with ODE's own collider
};

/// A planned world on its way to the end of its run.
class Run {
 public:
  /// `watch_from`: the step after which expectations, which are for worlds that nothing drives, begin to
  /// look.
  Run(sim::SceneRun scene, const Plan& plan, bool stop_at_rest, std::optional<std::uint64_t> watch_from = {});

  [[nodiscard]] bool isDone() const;
  const sim::StepMetrics& step();
  [[nodiscard]] const sim::World& world() const { return trial_ ? trial_->world() : *scene_.world; }
  /// Null unless it is watched.
  [[nodiscard]] const sim::Trial* trial() const { return trial_ ? &*trial_ : nullptr; }
  /// Of the run so far. It has failed if the world failed or if a body ends with its lowest point deeper
  /// below the ground's level than a tenth of its radius.
  [[nodiscard]] Summary summary() const;

 private:
  sim::SceneRun scene_;
  std::optional<sim::Trial> trial_;
  std::uint64_t watch_from_;
  std::uint64_t steps_;
  bool stop_at_rest_;
  std::optional<double> ground_level_;
  sim::RestMonitor rest_;
  Summary sums_;           ///< with sums in place of means
  odemeshCounters start_;  ///< counters when the run began
};

}  // namespace odemesh::sandbox
