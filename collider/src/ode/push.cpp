#include "ode/push.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

Push::Push(const PairResponse& pair, const dContact& contact, double wanted, double dt)
    : Push(pair, contact, tangentsOf(contact), wanted, dt) {}

Push::Push(const PairResponse& pair, const dContact& contact, const std::array<Vec3, 2>& tangents,
           double wanted, double dt)
    : wanted_(wanted),
      dt_(dt),
      normal_(pair, contact.geom, vec3(contact.geom.normal)),
      sideways_{ImpulseRow{pair, contact.geom, tangents[0]}, ImpulseRow{pair, contact.geom, tangents[1]}},
      friction_(frictionOf(contact.surface)),
      has_normal_bound_((contact.surface.mode & dContactApprox1) != 0) {}

BodySpeed Push::given(std::size_t side) const {
  BodySpeed out{};
  for (const ImpulseRow* row : {&normal_, &sideways_[0], &sideways_[1]}) {
    out.velocity += row->unit.of(side).velocity * row->impulse;
    out.spin += row->unit.of(side).spin * row->impulse;
  }
  return out;
}

double Push::act(BodySpeed& first, BodySpeed& second) {
  double changed = normal_.act(wanted_, 0, std::numeric_limits<double>::infinity(), first, second);
  for (std::size_t i = 0; i < 2; ++i)
    if (const double most = mostFriction(i); most > 0)
      changed = std::max(changed, sideways_[i].act(0, -most, most, first, second));
  return changed;
}

}  // namespace odemesh::ode
