#include <cmath>
#include <odemesh/sim/body.hpp>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/joint.hpp>

namespace odemesh::sim {
namespace {

using Type = JointSpec::Type;

dReal real(double value) {
  return std::isinf(value) ? std::copysign(static_cast<dReal>(dInfinity), static_cast<dReal>(value))
                           : static_cast<dReal>(value);
}

[[noreturn]] void refuse(const std::string& name, const std::string& problem) {
  throw InputError("joint '" + name + "': " + problem);
}

std::size_t axisCount(Type type) {
  if (type == Type::kHinge || type == Type::kSlider) return 1;
  return type == Type::kUniversal ? 2 : 0;
}

bool atLeastZero(double value) {
  return value >= 0 && std::isfinite(value);
}

void checkAxis(const std::string& name, const JointAxis& axis) {
  if (!(length(axis.direction) > 1e-9) || !isFinite(axis.direction))
    refuse(name, "an axis is not finite or has no length; give a direction");
  if (!(axis.lower <= axis.upper)) refuse(name, "its lower limit is above the upper one, or one is NaN");
  if (!atLeastZero(axis.damping) || !atLeastZero(axis.friction))
    refuse(name, "its damping or friction is negative or not finite");
  if (!atLeastZero(axis.stiffness) || !std::isfinite(axis.spring_reference))
    refuse(name, "its spring's stiffness is negative, or that or its reference is not finite");
}

void check(const JointSpec& spec) {
  if (!isFinite(spec.anchor)) refuse(spec.name, "its anchor is not finite");
  if (!(spec.limit_erp >= 0 && spec.limit_erp <= 1)) refuse(spec.name, "its limit ERP is not from 0 to 1");
  if (!atLeastZero(spec.limit_cfm)) refuse(spec.name, "its limit CFM is negative or not finite");
  for (std::size_t i = 0; i < axisCount(spec.type); ++i) checkAxis(spec.name, spec.axes[i]);
  if (axisCount(spec.type) == 2 && (spec.axes[0].stiffness > 0 || spec.axes[1].stiffness > 0))
    refuse(spec.name, "springs are for joints with one axis; leave its stiffness at 0");
  const Vec3 across = cross(normalised(spec.axes[0].direction), normalised(spec.axes[1].direction));
  if (axisCount(spec.type) == 2 && length(across) < 1e-3)
    refuse(spec.name, "its two axes are parallel; give them different directions");
}

dBodyID odeBodyOf(const Body* body) {
  return body == nullptr ? nullptr : body->odeBody();
}

JointHandle create(Type type, dWorldID world) {
  switch (type) {
    case Type::kFixed:
      return JointHandle(dJointCreateFixed(world, nullptr));
    case Type::kHinge:
      return JointHandle(dJointCreateHinge(world, nullptr));
    case Type::kSlider:
      return JointHandle(dJointCreateSlider(world, nullptr));
    case Type::kBall:
      return JointHandle(dJointCreateBall(world, nullptr));
    case Type::kUniversal:
      return JointHandle(dJointCreateUniversal(world, nullptr));
  }
  return nullptr;
}

void place(dJointID joint, const JointSpec& spec) {
  const dReal x = real(spec.anchor.x);
  const dReal y = real(spec.anchor.y);
  const dReal z = real(spec.anchor.z);
  const Vec3 first = normalised(spec.axes[0].direction);
  const Vec3 second = normalised(spec.axes[1].direction);
  switch (spec.type) {
    case Type::kFixed:
      return dJointSetFixed(joint);
    case Type::kHinge:
      dJointSetHingeAnchor(joint, x, y, z);
      return dJointSetHingeAxis(joint, real(first.x), real(first.y), real(first.z));
    case Type::kSlider:
      return dJointSetSliderAxis(joint, real(first.x), real(first.y), real(first.z));
    case Type::kBall:
      return dJointSetBallAnchor(joint, x, y, z);
    case Type::kUniversal: {  // its first axis is fixed in its first body, which is the child here
      dJointSetUniversalAnchor(joint, x, y, z);
      // ODE warns of parallel axes while only one has been set; the other one is y until then.
      const Vec3 aside = normalised(cross(first, {0, 1, 0}), {1, 0, 0});
      dJointSetUniversalAxis1(joint, real(aside.x), real(aside.y), real(aside.z));
      dJointSetUniversalAxis2(joint, real(first.x), real(first.y), real(first.z));
      return dJointSetUniversalAxis1(joint, real(second.x), real(second.y), real(second.z));
    }
  }
}

void setParam(dJointID joint, Type type, int parameter, dReal value) {
  switch (type) {
    case Type::kHinge:
      return dJointSetHingeParam(joint, parameter, value);
    case Type::kSlider:
      return dJointSetSliderParam(joint, parameter, value);
    case Type::kUniversal:
      return dJointSetUniversalParam(joint, parameter, value);
    case Type::kFixed:
    case Type::kBall:
      return;
  }
}

// ODE ignores a lower stop above the upper one that it has at that moment, so the lower one is set twice.
void setLimits(dJointID joint, const JointSpec& spec) {
  for (std::size_t i = 0; i < axisCount(spec.type); ++i) {
    // In ODE's order of axes; see `place`.
    const JointAxis& axis = spec.axes[axisCount(spec.type) == 2 ? 1 - i : i];
    const int group = i == 0 ? 0 : dParamGroup;
    setParam(joint, spec.type, dParamLoStop + group, real(axis.lower));
    setParam(joint, spec.type, dParamHiStop + group, real(axis.upper));
    setParam(joint, spec.type, dParamLoStop + group, real(axis.lower));
    setParam(joint, spec.type, dParamStopERP + group, real(spec.limit_erp));
    setParam(joint, spec.type, dParamStopCFM + group, real(spec.limit_cfm));
  }
}

}  // namespace

Joint::Joint(const JointSpec& spec, dWorldID world, const Body* child, const Body* parent)
    : name_(spec.name), child_(odeBodyOf(child)), parent_(odeBodyOf(parent)) {
  check(spec);
  if (child_ == parent_)
    refuse(name_, child_ == nullptr ? "it joins nothing that can move; one of its bodies has to be dynamic"
                                    : "it joins a body with itself; name two different ones");
  joint_ = create(spec.type, world);
  dJointAttach(joint_.get(), child_, parent_);
  place(joint_.get(), spec);
  setLimits(joint_.get(), spec);
  for (std::size_t i = 0; i < axisCount(spec.type); ++i) addResistance(world, spec, spec.axes[i]);
}

double Joint::position() const {
  const dJointType type = dJointGetType(joint_.get());
  if (type == dJointTypeHinge) return dJointGetHingeAngle(joint_.get());
  return type == dJointTypeSlider ? static_cast<double>(dJointGetSliderPosition(joint_.get())) : 0;
}

// A joint of its own because ODE's stops and motors of one joint disturb each other.
dJointID Joint::addMotor(dWorldID world, const JointSpec& spec, const JointAxis& axis, double force,
                         double cfm) {
  const bool slides = spec.type == Type::kSlider;
  JointHandle motor(slides ? dJointCreateLMotor(world, nullptr) : dJointCreateAMotor(world, nullptr));
  dJointAttach(motor.get(), child_, parent_);
  const auto setNumber = slides ? &dJointSetLMotorNumAxes : &dJointSetAMotorNumAxes;
  const auto setAxis = slides ? &dJointSetLMotorAxis : &dJointSetAMotorAxis;
  const auto set = slides ? &dJointSetLMotorParam : &dJointSetAMotorParam;
  const Vec3 d = normalised(axis.direction);
  setNumber(motor.get(), 1);
  setAxis(motor.get(), 0, child_ != nullptr ? 1 : 2, real(d.x), real(d.y), real(d.z));
  set(motor.get(), dParamVel, 0);
  set(motor.get(), dParamFMax, real(force));
  set(motor.get(), dParamCFM, real(cfm));
  motors_.push_back(std::move(motor));
  return motors_.back().get();
}

// Motors with the wish to stand still: one of limited force is dry friction, one of unlimited force and
// CFM = 1 / damping is a damper, integrated implicitly. A spring is a motor too, and brings the damper with
// it.
void Joint::addResistance(dWorldID world, const JointSpec& spec, const JointAxis& axis) {
  constexpr double kUnlimited = std::numeric_limits<double>::infinity();
  if (axis.friction > 0) addMotor(world, spec, axis, axis.friction, 0);
  if (axis.stiffness > 0) {
    sprung_ = axis;
    spring_ = addMotor(world, spec, axis, kUnlimited, 0);
  } else if (axis.damping > 0) {
    addMotor(world, spec, axis, kUnlimited, 1 / axis.damping);
  }
}

// The force k (reference - x - dt v) - c v as a motor's: v = target - CFM force.
void Joint::prepareStep(double dt) {
  if (spring_ == nullptr) return;
  const double softness = 1 / (dt * sprung_.stiffness + sprung_.damping);
  const double target = softness * sprung_.stiffness * (sprung_.spring_reference - position());
  const auto set = dJointGetType(spring_) == dJointTypeLMotor ? &dJointSetLMotorParam : &dJointSetAMotorParam;
  set(spring_, dParamVel, real(target));
  set(spring_, dParamCFM, real(softness));
}

}  // namespace odemesh::sim
