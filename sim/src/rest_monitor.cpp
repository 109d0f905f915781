#include <cmath>
#include <numeric>
#include <odemesh/sim/rest_monitor.hpp>

namespace odemesh::sim {

void RestMonitor::add(double rms_speed) {
  squares_.push_back(rms_speed * rms_speed);
  if (squares_.size() > window_) squares_.pop_front();
}

// Summed afresh each time: a running sum would keep the rounding of speeds that have long left the window.
double RestMonitor::rmsSpeed() const {
  if (squares_.empty()) return 0;
  const double sum = std::accumulate(squares_.begin(), squares_.end(), 0.0);
  return std::sqrt(sum / static_cast<double>(squares_.size()));
}

double restThreshold(double gravity, double radius) {
  return 0.01 * std::sqrt(gravity * radius);
}

}  // namespace odemesh::sim
