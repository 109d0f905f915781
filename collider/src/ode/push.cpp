#include "ode/push.hpp"

namespace odemesh::ode {

namespace {

/// Across the normal, as ODE has them.
[[nodiscard]] std::array<Vec3, 2> tangentsOf(const dContact& c) {
  if ((c.surface.mode & dContactFDir1) != 0)
    return {vec3(c.fdir1), cross(vec3(c.geom.normal), vec3(c.fdir1))};
  dVector3 first, second;
  dPlaneSpace(c.geom.normal, first, second);
  return {vec3(first), vec3(second)};
}

[[nodiscard]] std::array<double, 2> frictionOf(const dSurfaceParameters& s) {
  return {double(s.mu), double((s.mode & dContactMu2) != 0 ? s.mu2 : s.mu)};
}

}  // namespace

double leastParting(const dSurfaceParameters& s, double approach) {
  const double motion = (s.mode & dContactMotionN) != 0 ? double(s.motionN) : 0;
  const double excess = approach + motion;
  const bool bounces = (s.mode & dContactBounce) != 0 && excess > double(s.bounce_vel);
  return bounces ? motion + double(s.bounce) * excess : motion;
}

Push::Row::Row(const PairResponse& pair, const dContactGeom& c, const Vec3& along)
    : direction(along), unit(pair, c, along), parting(unit.partingAt(c, along)) {}

Push::Push(const PairResponse& pair, const dContact& contact, double wanted, double dt)
    : Push(pair, contact, tangentsOf(contact), wanted, dt) {}

Push::Push(const PairResponse& pair, const dContact& contact, const std::array<Vec3, 2>& tangents,
           double wanted, double dt)
    : place_(vec3(contact.geom.pos)),
      wanted_(wanted),
      dt_(dt),
      normal_(pair, contact.geom, vec3(contact.geom.normal)),
      sideways_{Row{pair, contact.geom, tangents[0]}, Row{pair, contact.geom, tangents[1]}},
      friction_(frictionOf(contact.surface)),
      has_normal_bound_((contact.surface.mode & dContactApprox1) != 0) {}

BodyChange Push::given(std::size_t side) const {
  BodyChange out{};
  for (const Row* row : {&normal_, &sideways_[0], &sideways_[1]}) {
    out.velocity += row->unit.of(side).velocity * row->impulse;
    out.spin += row->unit.of(side).spin * row->impulse;
  }
  return out;
}

}  // namespace odemesh::ode
