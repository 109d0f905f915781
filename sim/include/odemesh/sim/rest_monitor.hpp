// Decides whether a world has come to rest.
#pragma once

#include <cstddef>
#include <deque>

namespace odemesh::sim {

/// At rest means: the RMS speed (StepMetrics::rms_speed) over the last `window` steps is at most `threshold`
/// m/s.
class RestMonitor {
 public:
  /// `window` is at least 1.
  RestMonitor(double threshold, std::size_t window) : threshold_(threshold), window_(window) {}

  void add(double rms_speed);
  /// RMS over the window, or over the steps so far while there are fewer; 0 without any.
  [[nodiscard]] double rmsSpeed() const;
  /// Of how many steps that is: of the window, or of fewer.
  [[nodiscard]] std::size_t steps() const { return squares_.size(); }
  /// False until the window is full.
  [[nodiscard]] bool isAtRest() const { return squares_.size() == window_ && rmsSpeed() <= threshold_; }
  [[nodiscard]] double threshold() const { return threshold_; }

 private:
  double threshold_;
  std::size_t window_;
  std::deque<double> squares_;
};

/// A threshold that suits any scale: 1% of the speed from falling half a body's radius, sqrt(gravity *
/// radius).
[[nodiscard]] double restThreshold(double gravity, double radius);

}  // namespace odemesh::sim
