// odemeshCollideSpeculative: what dCollide finds, and what the coming step would bring.
#include <odemesh/odemesh.h>

#include <cmath>

#include "ode/contact_log.hpp"
#include "ode/delivery.hpp"
#include "ode/errors.hpp"
#include "ode/speculative_call.hpp"
#include "ode/speculative_contacts.hpp"
#include "ode/speculative_meshes.hpp"
#include "ode/speculative_plane.hpp"
#include "ode/struck_pair.hpp"
#include "ode/trimesh_reader.hpp"

namespace odemesh::ode {

namespace {

int failArguments() {
  fail(ODEMESH_ERROR_ARGUMENT,
       "odemeshCollideSpeculative: give it two geoms (no spaces), dt > 0, room and stride for dContacts");
  return 0;
}

/// With no more room than the options allow a pair.
[[nodiscard]] SpeculativeCall limited(SpeculativeCall r) {
  r.room = roomBeside(0, r.room);
  return r;
}

/// The parts of a body don't collide with each other.
[[nodiscard]] bool areOfOneBody(dGeomID g1, dGeomID g2) {
  const dBodyID body = dGeomGetBody(g1);
  return g1 == g2 || (body != nullptr && body == dGeomGetBody(g2));
}

/// Other shapes than meshes and planes have no impacts.
int collideSpeculative(const SpeculativeCall& r) {
  const int class1 = dGeomGetClass(r.g1), class2 = dGeomGetClass(r.g2);
  if (isSpaceClass(class1) || isSpaceClass(class2)) return failArguments();
  if (areOfOneBody(r.g1, r.g2)) return 0;
  if (StruckPair* const pair = PairInHand::of(r.g1, r.g2); pair != nullptr) return collideStruck(r, *pair);
  if (class1 == dTriMeshClass && class2 == dTriMeshClass) return collideMeshesAhead(limited(r));
  if (class1 == dTriMeshClass && class2 == dPlaneClass)
    return collideMeshAndPlaneAhead(limited(r), r.g1, r.g2);
  if (class1 == dPlaneClass && class2 == dTriMeshClass)
    return collideMeshAndPlaneAhead(limited(r), r.g2, r.g1);
  return touchingOf(r, true);
}

}  // namespace

}  // namespace odemesh::ode

using namespace odemesh::ode;

extern "C" int odemeshCollideSpeculative(dGeomID g1, dGeomID g2, dReal dt, int flags,
                                         const dSurfaceParameters* surface, dContact* contacts, int stride) {
  const int room = flags & kContactCountMask;
  if (g1 == nullptr || g2 == nullptr || contacts == nullptr || room == 0 || stride < int(sizeof(dContact)) ||
      !(dt > 0) || !std::isfinite(dt))
    return failArguments();
  return runGuarded([&] {
    const int count = collideSpeculative({g1, g2, double(dt), flags, room, surface, {contacts, stride}});
    ContactLog::tell({contacts, stride}, count);
    return count;
  });
}
