#include "ode/speculative_contacts.hpp"

#include <algorithm>

#include "motion/sweep.hpp"
#include "ode/impact_contacts.hpp"
#include "ode/settings.hpp"
#include "ode/vec3.hpp"

namespace odemesh::ode {

Impacts Impacts::beside(const SpeculativeCall& r, int touching, bool are_slow) {
  return {roomForImpacts(std::max(r.room - touching, (r.room + (are_slow ? 0 : 1)) / 2))};
}

void Impacts::add(const CentreGuards& found) {
  guards = found;
  guards.count = std::min(found.count, room.size());
  std::ranges::transform(guards.all(), room.begin(), &CentreGuard::impact);
  count = guards.count;
}

int dress(const SpeculativeCall& r, int count) {
  for (int i = 0; i < count; ++i) r.at(i).surface = r.surfaceOrNone();
  return count;
}

int touchingOf(const SpeculativeCall& r, bool may_touch) {
  if (may_touch) return dress(r, dCollide(r.g1, r.g2, r.flags, &r.at(0).geom, r.contacts.stride));
  if (odemeshIsInstalled() != 0) add(counters().pairs, 1);
  return 0;
}

int finish(const SpeculativeCall& r, int standing, Impacts impacts, const PairMotion& motion) {
  impacts.count = dropHeld(impacts.all(), r.contacts, standing, motion);
  const int begin = std::min(standing, r.room - int(impacts.count));
  int written = begin;
  for (const Impact& impact : impacts.all()) {
    dContact& to = r.at(written++);
    writeImpact(impact, r, to);
    stopInTime(to, approachAlong(motion.first, motion.second, vec3(to.geom.pos), vec3(to.geom.normal)),
               motion.thickness, r.dt);
  }
  if (written > begin) bounceThatComeAbout(impacts.all(), r, begin);
  return written;
}

}  // namespace odemesh::ode
