// The rules are those of gazebo-classic's ODEPhysics, ODESurfaceParams and ODELink, the defaults those of
// SDF.
#include "sdf_surface.hpp"

#include <algorithm>
#include <sdf/Physics.hh>

#include "sdf_elements.hpp"

namespace odemesh::sim {
namespace {

Vec3 fromSdf(const ignition::math::Vector3d& v) {
  return {v.X(), v.Y(), v.Z()};
}

void readContact(const sdf::ElementPtr& surface, Surface& out) {
  SpringDamper spring;
  spring.stiffness = valueAt(surface, {"contact", "ode", "kp"}, 1e12);
  spring.damping = valueAt(surface, {"contact", "ode", "kd"}, 1.0);
  out.spring = spring;
  // A negative value leaves it to the world's.
  const double max_vel = valueAt(surface, {"contact", "ode", "max_vel"}, 0.01);
  if (max_vel >= 0) out.max_correcting_speed = max_vel;
  if (descend(surface, {"contact", "ode", "min_depth"}))
    out.surface_layer = valueAt(surface, {"contact", "ode", "min_depth"}, 0.0);
  if (descend(surface, {"contact", "collide_bitmask"}))
    out.collide_bits = valueAt(surface, {"contact", "collide_bitmask"}, 0xffffU);
}

// The names that SDF has for dWorldQuickStep and dWorldStep.
const std::string kQuickType = "quick", kExactType = "world";

std::string solverTypeOf(const sdf::World& world) {
  const sdf::Physics* physics = world.PhysicsDefault();
  return physics == nullptr ? kQuickType : valueAt(physics->Element(), {"ode", "solver", "type"}, kQuickType);
}

}  // namespace

Surface surfaceFromSdf(const sdf::ElementPtr& surface) {
  Surface out;
  out.mu = valueAt(surface, {"friction", "ode", "mu"}, 1.0);
  out.mu2 = valueAt(surface, {"friction", "ode", "mu2"}, 1.0);
  out.friction_direction =
      fromSdf(valueAt(surface, {"friction", "ode", "fdir1"}, ignition::math::Vector3d::Zero));
  out.slip1 = valueAt(surface, {"friction", "ode", "slip1"}, 0.0);
  out.slip2 = valueAt(surface, {"friction", "ode", "slip2"}, 0.0);
  out.restitution = std::clamp(valueAt(surface, {"bounce", "restitution_coefficient"}, 0.0), 0.0, 1.0);
  out.bounce_threshold = std::min(valueAt(surface, {"bounce", "threshold"}, 1e5), 1e6);
  readContact(surface, out);
  return out;
}

WorldSettings settingsFromSdf(const sdf::World& world) {
  WorldSettings out;
  out.gravity = fromSdf(world.Gravity());
  const sdf::Physics* physics = world.PhysicsDefault();
  const sdf::ElementPtr element = physics == nullptr ? nullptr : physics->Element();
  out.dt = physics == nullptr ? 0.001 : physics->MaxStepSize();
  out.max_contacts = valueAt(element, {"max_contacts"}, 20);
  out.max_contacts = valueAt(element, {"ode", "max_contacts"}, out.max_contacts);
  out.solver = solverTypeOf(world) == kExactType ? Solver::kExact : Solver::kQuick;
  out.iterations = valueAt(element, {"ode", "solver", "iters"}, 50);
  out.relaxation = valueAt(element, {"ode", "solver", "sor"}, 1.3);
  out.cfm = valueAt(element, {"ode", "constraints", "cfm"}, 0.0);
  out.erp = valueAt(element, {"ode", "constraints", "erp"}, 0.2);
  out.surface_layer = valueAt(element, {"ode", "constraints", "contact_surface_layer"}, 0.001);
  out.max_correcting_speed = valueAt(element, {"ode", "constraints", "contact_max_correcting_vel"}, 100.0);
  out.surface = surfaceFromSdf(nullptr);
  return out;
}

std::optional<std::string> unknownSolverOf(const sdf::World& world) {
  const std::string type = solverTypeOf(world);
  if (type == kQuickType || type == kExactType) return std::nullopt;
  return type;
}

std::string engineOf(const sdf::World& world) {
  const sdf::Physics* physics = world.PhysicsDefault();
  return physics == nullptr ? "ode" : physics->EngineType();
}

}  // namespace odemesh::sim
