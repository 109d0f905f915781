#include "ode/geom_motion.hpp"

#include "ode/trimesh_reader.hpp"

namespace odemesh::ode {

namespace {

[[nodiscard]] Vec3 vec3(const dReal* v) {
  return {double(v[0]), double(v[1]), double(v[2])};
}

[[nodiscard]] Vec3 acceleration(dBodyID body) {
  Vec3 out = vec3(dBodyGetForce(body));
  if (!(out == Vec3{})) {  // ODE copies a whole matrix of inertia with the mass
    dMass mass;
    dBodyGetMass(body, &mass);
    out = out / double(mass.mass);
  }
  if (dBodyGetGravityMode(body) != 0) {
    dVector3 gravity;
    dWorldGetGravity(dBodyGetWorld(body), gravity);
    out += vec3(gravity);
  }
  return out;
}

}  // namespace

Motion motionOf(dGeomID geom, double dt) {
  Motion out;
  out.pose = poseOf(geom);
  const dBodyID body = dGeomGetBody(geom);
  const bool kinematic = body != nullptr && dBodyIsKinematic(body) != 0;
  out.is_fixed = body == nullptr || kinematic;
  if (body == nullptr || dBodyIsEnabled(body) == 0) {
    out.centre = out.pose.translation;
    return out;
  }
  out.centre = vec3(dBodyGetPosition(body));
  out.velocity = vec3(dBodyGetLinearVel(body));
  out.spin = vec3(dBodyGetAngularVel(body));
  if (!kinematic) out.velocity += acceleration(body) * dt;
  return out;
}

}  // namespace odemesh::ode
