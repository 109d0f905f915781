#include <cmath>
#include <numbers>
#include <odemesh/sim/random.hpp>

namespace odemesh::sim {
namespace {

// The rotation of the unit quaternion w + xi + yj + zk.
Mat3 fromQuaternion(double w, double x, double y, double z) {
  return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
           {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
           {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

}  // namespace

Mat3 Random::rotation() {
  const double share = uniform();
  const double angle1 = uniform(0, 2 * std::numbers::pi);
  const double angle2 = uniform(0, 2 * std::numbers::pi);
  const double r1 = std::sqrt(1 - share);
  const double r2 = std::sqrt(share);
  return fromQuaternion(r2 * std::cos(angle2), r1 * std::sin(angle1), r1 * std::cos(angle1),
                        r2 * std::sin(angle2));
}

}  // namespace odemesh::sim
