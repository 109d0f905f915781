#include "ode/body_motion.hpp"

#include "ode/vec3.hpp"

namespace odemesh::ode {

double gravityOf(dWorldID world) {
  dVector3 gravity;
  dWorldGetGravity(world, gravity);
  return length(vec3(gravity));
}

std::optional<RelativeMotion> relativeMotionOf(dGeomID first, dGeomID second) {
  std::optional<RelativeMotion> out;
  for (const dGeomID geom : {first, second}) {
    const dBodyID body = dGeomGetBody(geom);
    if (body == nullptr || dBodyIsEnabled(body) == 0) continue;
    const Vec3 centre = vec3(dBodyGetPosition(body)), spin = vec3(dBodyGetAngularVel(body));
    if (!out) out = {centre, {}, {}, gravityOf(dBodyGetWorld(body))};
    const Vec3 velocity = vec3(dBodyGetLinearVel(body)) + cross(spin, out->about - centre);
    out->velocity += geom == first ? velocity : -velocity;
    out->spin += geom == first ? spin : -spin;
  }
  return out;
}

}  // namespace odemesh::ode
