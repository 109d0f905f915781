#include <cmath>
#include <odemesh/voxel.hpp>

namespace odemesh {

namespace {

/// Axis times angle, from 0 to pi. Near half a turn the antisymmetric part vanishes, and the axis is read
/// from the symmetric one.
[[nodiscard]] Vec3 axisAngle(const Mat3& r) {
  const Vec3 twice_sine{r.row[2].y - r.row[1].z, r.row[0].z - r.row[2].x, r.row[1].x - r.row[0].y};
  const double cosine = 0.5 * (r.row[0].x + r.row[1].y + r.row[2].z - 1);
  const double sine = 0.5 * length(twice_sine);
  const double angle = std::atan2(sine, cosine);
  if (cosine > -0.9) return sine > 0 ? twice_sine * (0.5 * angle / sine) : Vec3{};
  // r + r^T = 2 cos I + 2 (1 - cos) axis axis^T: its largest column, less the cosine, runs along the axis.
  int k = 0;
  for (int i = 1; i < 3; ++i)
    if (r.row[i][i] > r.row[k][k]) k = i;
  Vec3 column = 0.5 * (r.row[k] + r.transposed().row[k]);
  column -= cosine * Mat3{}.row[k];
  const Vec3 axis = normalised(column);
  return axis * (dot(axis, twice_sine) < 0 ? -angle : angle);
}

}  // namespace

Wrench contactWrench(std::span<const VoxelContact> contacts, double stiffness, const Vec3& centre) {
  Wrench out;
  for (const VoxelContact& c : contacts) {
    const Vec3 force = stiffness * c.depth * c.direction;
    out.force += force;
    out.torque += cross(c.position - centre, force);
  }
  return out;
}

Wrench virtualCoupling(const Coupling& coupling, const Pose& handle, const Pose& tool,
                       const Vec3& relative_velocity, const Vec3& relative_angular_velocity) {
  const Vec3 d = handle.translation - tool.translation;
  const Vec3 theta = axisAngle(handle.rotation * tool.rotation.transposed());
  return {coupling.translational_stiffness * d - coupling.translational_damping * relative_velocity,
          coupling.rotational_stiffness * theta - coupling.rotational_damping * relative_angular_velocity};
}

}  // namespace odemesh
