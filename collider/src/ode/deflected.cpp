#include "ode/deflected.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "constants.hpp"
#include "motion/sweep.hpp"
#include "ode/geom_motion.hpp"
#include "ode/unit_impulse.hpp"

namespace odemesh::ode {

namespace {

/// Sweeps over the contacts end when none changes a speed by more than this share of the greatest approach.
constexpr double kSettled = 1e-4;
constexpr int kMostSweeps = 30;

/// What the bodies get by one contact.
struct Push {
  const dContactGeom& contact;
  UnitImpulse unit;
  double parting;  ///< the speed that a unit impulse gives
  double wanted;   ///< the least speed of parting
  double impulse = 0;
};

void change(Motion& m, const BodyChange& by_unit, double impulse) {
  m.velocity += by_unit.velocity * impulse;
  m.spin += by_unit.spin * impulse;
}

}  // namespace

Deflected::Deflected(const ContactArray& contacts, int count, const std::array<Motion, 2>& motions)
    : motions_(motions) {
  static thread_local std::vector<Push> pushes;
  pushes.clear();
  double greatest = 0;
  for (int i = 0; i < count; ++i) {
    const dContactGeom& c = contacts[i].geom;
    const UnitImpulse unit(c);
    greatest = std::max(greatest, std::abs(approachAt(c)));
    if (const double parting = unit.partingAt(c); parting > 0)
      pushes.push_back({c, unit, parting, wantedOf(contacts[i])});
  }
  double changed = greatest;
  for (int sweep = 0; sweep < kMostSweeps && changed > kSettled * greatest; ++sweep) {
    changed = 0;
    for (Push& push : pushes) {
      const double missing = (push.wanted + approachAt(push.contact)) / push.parting;
      const double more = std::max(missing, -push.impulse);
      push.impulse += more;
      for (std::size_t side = 0; side < 2; ++side) change(motions_[side], push.unit.of(side), more);
      changed = std::max(changed, std::abs(more) * push.parting);
    }
  }
}

double Deflected::approachAt(const dContactGeom& c) const {
  const Vec3 at = vec3(c.pos);
  return dot(velocityAt(motions_[1], at) - velocityAt(motions_[0], at), vec3(c.normal));
}

/// As ODE's contact joint has it, but for what corrects the depth.
double Deflected::wantedOf(const dContact& c) const {
  const dSurfaceParameters& s = c.surface;
  const double motion = (s.mode & dContactMotionN) != 0 ? double(s.motionN) : 0;
  const double excess = approachAt(c.geom) + motion;
  const bool bounces = (s.mode & dContactBounce) != 0 && excess > double(s.bounce_vel);
  return bounces ? motion + double(s.bounce) * excess : motion;
}

bool isTurnedAside(const Mesh& mesh, const Motion& before, const Motion& after, double dt) {
  Motion change = after;
  change.velocity = after.velocity - before.velocity;
  change.spin = after.spin - before.spin;
  return greatestMotion(mesh, change, dt) > kSlowApproach * mesh.thickness();
}

}  // namespace odemesh::ode
