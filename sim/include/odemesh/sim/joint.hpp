// Joints between bodies of a world, or between a body and the world itself.
#pragma once

#include <array>
#include <limits>
#include <odemesh/sim/ode_handles.hpp>
#include <optional>
#include <string>
#include <vector>

namespace odemesh::sim {

class Body;

/// A direction that a joint lets its child turn about or slide along.
struct JointAxis {
  Vec3 direction{0, 0, 1};                                  ///< in the world, of any length but zero
  double lower = -std::numeric_limits<double>::infinity();  ///< rad or m, from where the joint is made
  double upper = std::numeric_limits<double>::infinity();
  double damping = 0;   ///< N m s/rad or N s/m, at least 0
  double friction = 0;  ///< N m or N, at least 0
  /// Of a spring towards `spring_reference`, N m/rad or N/m, at least 0. Hinges and sliders alone have one.
  double stiffness = 0;
  double spring_reference = 0;  ///< rad or m, from where the joint is made
};

/// What a joint is made from, with the bodies where they are at that moment.
struct JointSpec {
  enum class Type {
    kFixed,
    kHinge,      ///< turns about one axis
    kSlider,     ///< slides along one axis
    kBall,       ///< turns about a point
    kUniversal,  ///< turns about two axes, the first fixed in the parent, the second in the child
  };
  std::string name;
  Type type = Type::kFixed;
  std::optional<std::size_t> child{};   ///< index of a body; empty: the world
  std::optional<std::size_t> parent{};  ///< the same
  Vec3 anchor{};                        ///< in the world
  std::array<JointAxis, 2> axes{};      ///< as many as the type has
  double limit_erp = 0.2;               ///< share of an overrun limit that is corrected in one step, 0 to 1
  double limit_cfm = 0;                 ///< softness of the limits, at least 0
};

/// A joint in a world; made by World::addJoint.
class Joint {
 public:
  /// `child` and `parent` may be null or static, which stands for the world; not both. Throws InputError for
  /// values that are not finite, axes of no length, a lower limit above the upper one.
  Joint(const JointSpec& spec, dWorldID world, const Body* child, const Body* parent);
  Joint(const Joint&) = delete;
  Joint& operator=(const Joint&) = delete;

  /// Sets the springs for the next step, of length `dt`.
  void prepareStep(double dt);

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Of the child about or along the first axis since the joint was made: rad for a hinge, m for a slider;
  /// 0 for the others.
  [[nodiscard]] double position() const;
  /// ODE's joint, for whatever else is not wrapped here.
  [[nodiscard]] dJointID odeJoint() const { return joint_.get(); }

 private:
  dJointID addMotor(dWorldID world, const JointSpec& spec, const JointAxis& axis, double force, double cfm);
  void addResistance(dWorldID world, const JointSpec& spec, const JointAxis& axis);

  std::string name_;
  dBodyID child_;
  dBodyID parent_;
  JointHandle joint_;
  std::vector<JointHandle> motors_;  ///< that brake, or act as springs
  JointAxis sprung_;                 ///< the axis with the spring
  dJointID spring_ = nullptr;        ///< among the motors, or null
};

}  // namespace odemesh::sim
