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

Push::Row::Row(const PairResponse& pair, const dContactGeom& c, const Vec3& along)
    : direction(along),
      lever{cross(vec3(c.pos) - pair[0].centre(), along), cross(vec3(c.pos) - pair[1].centre(), along)},
      unit(pair, c, along),
      parting(unit.partingAt(c, along)) {}

double Push::Row::act(double wanted, double least, double most, BodySpeed& first, BodySpeed& second) {
  const double approach = dot(direction, second.velocity - first.velocity) + dot(lever[1], second.spin) -
                          dot(lever[0], first.spin);
  const double more = std::clamp(impulse + (wanted + approach) / parting, least, most) - impulse;
  if (more == 0) return 0;
  impulse += more;
  first.velocity += unit.of(0).velocity * more;
  first.spin += unit.of(0).spin * more;
  second.velocity += unit.of(1).velocity * more;
  second.spin += unit.of(1).spin * more;
  return std::abs(more) * parting;
}

Push::Push(const PairResponse& pair, const dContact& contact, double wanted, double dt)
    : Push(pair, contact, tangentsOf(contact), wanted, dt) {}

Push::Push(const PairResponse& pair, const dContact& contact, const std::array<Vec3, 2>& tangents,
           double wanted, double dt)
    : wanted_(wanted),
      dt_(dt),
      normal_(pair, contact.geom, vec3(contact.geom.normal)),
      sideways_{Row{pair, contact.geom, tangents[0]}, Row{pair, contact.geom, tangents[1]}},
      friction_(frictionOf(contact.surface)),
      has_normal_bound_((contact.surface.mode & dContactApprox1) != 0) {}

BodySpeed Push::given(std::size_t side) const {
  BodySpeed out{};
  for (const Row* row : {&normal_, &sideways_[0], &sideways_[1]}) {
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
