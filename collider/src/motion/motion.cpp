// Constant motions, and how far they take a mesh.
#include <algorithm>
#include <cmath>

#include "constants.hpp"
#include "motion/sweep.hpp"

namespace odemesh {

Mat3 rotationBy(const Vec3& turn) {
  const double angle = length(turn);
  if (!(angle > 0)) return {};
  const Vec3 u = turn / angle;
  const double c = std::cos(angle), s = std::sin(angle), k = 1 - c;
  return {{{c + u.x * u.x * k, u.x * u.y * k - u.z * s, u.x * u.z * k + u.y * s},
           {u.y * u.x * k + u.z * s, c + u.y * u.y * k, u.y * u.z * k - u.x * s},
           {u.z * u.x * k - u.y * s, u.z * u.y * k + u.x * s, c + u.z * u.z * k}}};
}

Pose Motion::at(double time) const {
  const Mat3 turned = rotationBy(spin * time);
  return {turned * pose.rotation, centre + velocity * time + turned * (pose.translation - centre)};
}

double greatestMotion(const Mesh& mesh, const Motion& motion, double dt) {
  const double reach = length(motion.pose.apply(mesh.sphereCentre()) - motion.centre) + mesh.sphereRadius();
  return (length(motion.velocity) + length(motion.spin) * reach) * dt;
}

bool isFast(const Mesh& mesh, const Motion& motion, double dt) {
  const double arm_sq = lengthSq(motion.pose.apply(mesh.sphereCentre()) - motion.centre);
  if (isSurelySlow(mesh, lengthSq(motion.velocity), lengthSq(motion.spin), arm_sq, dt)) return false;
  return greatestMotion(mesh, motion, dt) > kFastShare * mesh.thickness();
}

}  // namespace odemesh
