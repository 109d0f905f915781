#include "ode/rebound.hpp"

#include "ode/geom_motion.hpp"

namespace odemesh::ode {

Rebound::Rebound(const dContactGeom& contact, double bounce) : unit_(contact) {
  if (const double parting = unit_.partingAt(contact); parting > 0)
    impulse_ = (1 + bounce) * approachSpeed(contact) / parting;
}

bool Rebound::approachAt(const dContactGeom& c) const {
  return approachSpeed(c) - impulse_ * unit_.partingAt(c) > 0;
}

}  // namespace odemesh::ode
