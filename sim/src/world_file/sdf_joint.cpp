#include "sdf_joint.hpp"

#include <sdf/Element.hh>
#include <sdf/JointAxis.hh>

namespace odemesh::sim {

// A revolute2 joint is two hinges in series, which is what ODE's universal joint is where the axes are at
// right angles.
std::optional<JointSpec::Type> jointTypeFromSdf(sdf::JointType type) {
  switch (type) {
    case sdf::JointType::REVOLUTE:
    case sdf::JointType::CONTINUOUS:
      return JointSpec::Type::kHinge;
    case sdf::JointType::PRISMATIC:
      return JointSpec::Type::kSlider;
    case sdf::JointType::BALL:
      return JointSpec::Type::kBall;
    case sdf::JointType::UNIVERSAL:
    case sdf::JointType::REVOLUTE2:
      return JointSpec::Type::kUniversal;
    case sdf::JointType::FIXED:
      return JointSpec::Type::kFixed;
    default:
      return std::nullopt;
  }
}

std::string jointTypeName(const sdf::Joint& joint) {
  return joint.Element() ? joint.Element()->Get<std::string>("type") : "unknown";
}

JointAxis axisFromSdf(const sdf::JointAxis& axis, const Vec3& direction) {
  JointAxis out;
  out.direction = direction;
  // Gazebo's and URDF's way of saying "none".
  constexpr double kUnlimited = 1e15;
  if (axis.Lower() > -kUnlimited) out.lower = axis.Lower();
  if (axis.Upper() < kUnlimited) out.upper = axis.Upper();
  out.damping = axis.Damping();
  out.friction = axis.Friction();
  out.stiffness = axis.SpringStiffness();
  out.spring_reference = axis.SpringReference();
  return out;
}

}  // namespace odemesh::sim
