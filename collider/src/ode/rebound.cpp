#include "ode/rebound.hpp"

#include "ode/geom_motion.hpp"

namespace odemesh::ode {

Rebound::Rebound(const dContactGeom& contact, double bounce) : unit_(contact, vec3(contact.normal)) {
  if (const double parting = unit_.partingAt(contact, vec3(contact.normal)); parting > 0)
    impulse_ = (1 + bounce) * approachSpeed(contact) / parting;
}

bool Rebound::approachAt(const dContactGeom& c) const {
  return approachSpeed(c) - impulse_ * unit_.partingAt(c, vec3(c.normal)) > 0;
}

}  // namespace odemesh::ode
