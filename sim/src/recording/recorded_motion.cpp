#include <algorithm>
#include <cmath>
#include <odemesh/sim/recorded_motion.hpp>

namespace odemesh::sim {
namespace {

using Quaternion = std::array<double, 4>;

Mat3 matrixOf(const Quaternion& q) {
  const auto [x, y, z, w] = q;
  return {{{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
           {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
           {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}}};
}

// Along the straight line between two that are near each other, and back to unit length.
Quaternion between(const Quaternion& a, const Quaternion& b, double share) {
  double product = 0;
  for (std::size_t i = 0; i < 4; ++i) product += a[i] * b[i];
  Quaternion out{};
  double norm = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    out[i] = (1 - share) * a[i] + share * (product < 0 ? -b[i] : b[i]);
    norm += out[i] * out[i];
  }
  for (double& value : out) value /= std::sqrt(norm);
  return out;
}

}  // namespace

Pose RecordedMotion::pose(std::size_t body, double time) const {
  const Track& track = tracks[body];
  const auto next = std::upper_bound(times.begin(), times.end(), time);
  if (track.translations.size() == 1 || next == times.begin())
    return {matrixOf(track.rotations.front()), track.translations.front()};
  if (next == times.end()) return {matrixOf(track.rotations.back()), track.translations.back()};
  const auto i = static_cast<std::size_t>(next - times.begin());
  const double share = (time - times[i - 1]) / (times[i] - times[i - 1]);
  const Vec3& from = track.translations[i - 1];
  return {matrixOf(between(track.rotations[i - 1], track.rotations[i], share)),
          from + (track.translations[i] - from) * share};
}

}  // namespace odemesh::sim
