#include "ode/impact_contacts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "constants.hpp"
#include "ode/geom_motion.hpp"
#include "ode/held_impacts.hpp"
#include "ode/rebound.hpp"
#include "ode/surface_share.hpp"

namespace odemesh::ode {

namespace {

/// ODE bounces what exceeds the speed that motionN allows, and subtracts that speed again. Here the bounce is
/// chosen such that the bodies part with `bounce` times the whole speed of approach.
void bounceAhead(dContact& contact) {
  dSurfaceParameters& s = contact.surface;
  const double allowed = -double(s.motionN);
  const double speed = approachSpeed(contact.geom), excess = speed - allowed;
  if (excess > 1e-9 * speed && speed > double(s.bounce_vel)) {
    s.bounce = dReal((double(s.bounce) * speed + allowed) / excess);
    s.bounce_vel = 0;
  } else {
    s.mode &= ~dContactBounce;
  }
}

}  // namespace

std::span<Impact> roomForImpacts(int most) {
  static thread_local std::array<Impact, kMostImpacts> list;
  return std::span(list).first(std::min(kMostImpacts, std::size_t(most)));
}

void writeImpact(const Impact& impact, const SpeculativeCall& r, dContact& to) {
  to.surface = r.surfaceOrNone();
  dContactGeom& geom = to.geom;
  for (int axis = 0; axis < 3; ++axis) {
    geom.pos[axis] = dReal(impact.position[axis]);
    geom.normal[axis] = dReal(impact.normal[axis]);
  }
  geom.pos[3] = geom.normal[3] = 0;
  geom.depth = 0;
  geom.g1 = r.g1;
  geom.g2 = r.g2;
  geom.side1 = dGeomGetClass(r.g1) == dTriMeshClass ? int(impact.triangle1) : -1;
  geom.side2 = dGeomGetClass(r.g2) == dTriMeshClass ? int(impact.triangle2) : -1;
  if (impact.is_smooth) {
    to.surface.mu = 0;
    to.surface.mode &= ~(dContactMu2 | dContactRolling);
  }
  to.surface.mode |= dContactMotionN;
  to.surface.motionN = dReal(-kSpentGap * impact.gap / r.dt);
}

void stopInTime(dContact& c, double speed, double thickness, double dt) {
  const double excess = speed + double(c.surface.motionN), most = kFastShare * thickness / dt;
  if (excess > most) limitYield(c, most / excess, dt);
}

void bounceThatComeAbout(std::span<const Impact> impacts, const SpeculativeCall& r, int begin) {
  if (r.surface == nullptr || (r.surface->mode & dContactBounce) == 0) return;
  const auto surface_impact = std::ranges::find(impacts, false, &Impact::is_guard);
  const int first = begin + (surface_impact != impacts.end() ? int(surface_impact - impacts.begin()) : 0);
  const Rebound rebound(r.at(first).geom, double(r.surface->bounce));
  for (int i = begin; i < begin + int(impacts.size()); ++i) {
    dContact& c = r.at(i);
    if (i == first || rebound.approachAt(c.geom))
      bounceAhead(c);
    else
      c.surface.mode &= ~dContactBounce;
  }
}

void yieldWhereParting(const SpeculativeCall& r, int count, double thickness) {
  if (r.surface == nullptr || (r.surface->mode & dContactBounce) == 0) return;
  for (int i = 0; i < count; ++i) {
    dContact& c = r.at(i);
    const double parting = -approachSpeed(c.geom);
    if (!std::isfinite(parting) || parting <= double(c.surface.bounce_vel)) continue;
    const double motion = (c.surface.mode & dContactMotionN) != 0 ? double(c.surface.motionN) : 0;
    c.surface.mode |= dContactMotionN;
    c.surface.motionN =
        dReal(motion - std::min(double(c.surface.bounce) * parting, kFastShare * thickness / r.dt));
  }
}

}  // namespace odemesh::ode
