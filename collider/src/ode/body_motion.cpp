#include "ode/body_motion.hpp"

#include "ode/vec3.hpp"

namespace odemesh::ode {

namespace {

[[nodiscard]] double gravityOn(dBodyID body) {
  dVector3 gravity;
  dWorldGetGravity(dBodyGetWorld(body), gravity);
  return length(vec3(gravity));
}

}  // namespace

std::optional<RelativeMotion> relativeMotionOf(dGeomID first, dGeomID second) {
  std::optional<RelativeMotion> out;
  for (const dGeomID geom : {first, second}) {
    const dBodyID body = dGeomGetBody(geom);
    if (body == nullptr || dBodyIsEnabled(body) == 0) continue;
    const Vec3 centre = vec3(dBodyGetPosition(body)), spin = vec3(dBodyGetAngularVel(body));
    if (!out) out = {centre, {}, {}, gravityOn(body)};
    const Vec3 velocity = vec3(dBodyGetLinearVel(body)) + cross(spin, out->about - centre);
    out->velocity += geom == first ? velocity : -velocity;
    out->spin += geom == first ? spin : -spin;
  }
  return out;
}

}  // namespace odemesh::ode
