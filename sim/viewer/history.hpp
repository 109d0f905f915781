// The last steps of a world, for plots.
#pragma once

#include <array>
#include <cstddef>
#include <odemesh/sim/world.hpp>

namespace odemesh::viewer {

inline constexpr std::size_t kHistorySteps = 480;

/// The latest kHistorySteps values, the oldest at `offset`.
class Series {
 public:
  void add(double value) {
    values_[offset_] = static_cast<float>(value);
    offset_ = (offset_ + 1) % kHistorySteps;
  }
  [[nodiscard]] const float* data() const { return values_.data(); }
  [[nodiscard]] int offset() const { return static_cast<int>(offset_); }
  [[nodiscard]] float latest() const { return values_[(offset_ + kHistorySteps - 1) % kHistorySteps]; }

 private:
  std::array<float, kHistorySteps> values_{};
  std::size_t offset_ = 0;
};

struct History {
  Series energy;  ///< J, kinetic and potential
  Series contacts;
  Series depth;  ///< mm
  Series collision_ms;
  Series step_ms;

  void add(const sim::StepMetrics& step) {
    energy.add(step.kinetic_energy + step.potential_energy);
    contacts.add(static_cast<double>(step.contacts));
    depth.add(step.greatest_depth * 1e3);
    collision_ms.add(step.collision_ms);
    step_ms.add(step.collision_ms + step.solver_ms);
  }
};

}  // namespace odemesh::viewer
