// Joints of SDF files: which of ODE's they are, and their axes.
#pragma once

#include <odemesh/sim/joint.hpp>
#include <optional>
#include <sdf/Joint.hh>
#include <string>

namespace odemesh::sim {

/// Empty for a joint that ODE has none of.
[[nodiscard]] std::optional<JointSpec::Type> jointTypeFromSdf(sdf::JointType type);

/// "screw", "gearbox" and so on, as in the file.
[[nodiscard]] std::string jointTypeName(const sdf::Joint& joint);

/// Limits, damping, friction and spring of an axis that has the direction `direction` in the world.
[[nodiscard]] JointAxis axisFromSdf(const sdf::JointAxis& axis, const Vec3& direction);

}  // namespace odemesh::sim
