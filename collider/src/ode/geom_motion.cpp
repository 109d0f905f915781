#include "ode/geom_motion.hpp"

#include <cstddef>

#include "cofactors.hpp"
#include "constants.hpp"
#include "motion/sweep.hpp"
#include "ode/deflected.hpp"
#include "ode/trimesh_reader.hpp"

namespace odemesh::ode {

namespace {

/// ODE copies a whole matrix of inertia with it.
[[nodiscard]] dMass massOf(dBodyID body) {
  dMass mass;
  dBodyGetMass(body, &mass);
  return mass;
}

[[nodiscard]] Vec3 acceleration(dBodyID body) {
  Vec3 out = vec3(dBodyGetForce(body));
  if (!(out == Vec3{})) out = out / double(massOf(body).mass);
  if (dBodyGetGravityMode(body) != 0) {
    dVector3 gravity;
    dWorldGetGravity(dBodyGetWorld(body), gravity);
    out += vec3(gravity);
  }
  return out;
}

/// The matrix that takes x to the product of `v` and x.
[[nodiscard]] constexpr Mat3 crossMatrix(const Vec3& v) {
  return {{{0, -v.z, v.y}, {v.z, 0, -v.x}, {-v.y, v.x, 0}}};
}

/// What the gyroscopic torque gives within `dt`, by ODE's reckoning: implicit in the spin, in the body's
/// frame (Lacoursiere, "Stabilizing gyroscopic forces in rigid multibody simulations", 2006).
[[nodiscard]] Vec3 gyroscopicGain(dBodyID body, const Vec3& spin, double dt) {
  if (spin == Vec3{} || dBodyGetGyroscopicMode(body) == 0) return {};
  const Mat3 rotation = matrixOf(dBodyGetRotation(body)), inertia = matrixOf(massOf(body).I);
  const Vec3 own_spin = rotation.transposed() * spin, momentum = inertia * own_spin;
  Mat3 implicit = crossMatrix(momentum);
  for (std::size_t i = 0; i < 3; ++i) implicit.row[i] = inertia.row[i] - implicit.row[i] * dt;
  const Mat3 cofactors = cofactorsOf(implicit);
  const double determinant = determinantOf(implicit, cofactors);
  if (determinant == 0) return {};
  return rotation * (cofactors.transposed() * cross(momentum, own_spin)) * (dt / determinant);
}

}  // namespace

bool isFixed(dGeomID geom) {
  const dBodyID body = dGeomGetBody(geom);
  return body == nullptr || dBodyIsKinematic(body) != 0;
}

Motion restOf(dGeomID geom, const Pose& pose) {
  Motion out;
  out.pose = pose;
  out.centre = pose.translation;
  out.is_fixed = isFixed(geom);
  return out;
}

Motion motionOf(dGeomID geom, const Pose& pose, double dt) {
  Motion out = restOf(geom, pose);
  const dBodyID body = dGeomGetBody(geom);
  if (body == nullptr || dBodyIsEnabled(body) == 0) return out;
  out.centre = vec3(dBodyGetPosition(body));
  out.velocity = vec3(dBodyGetLinearVel(body));
  out.spin = vec3(dBodyGetAngularVel(body));
  if (out.is_fixed) return out;
  out.gain = acceleration(body) * dt;
  out.velocity += out.gain;
  return out;
}

Motion freeMotionOf(dGeomID geom, const Mesh& mesh, const Pose& pose, double dt) {
  Motion out = motionOf(geom, pose, dt);
  if (out.is_fixed) return out;
  Motion turned = out;
  turned.spin += gyroscopicGain(dGeomGetBody(geom), out.spin, dt);
  return isTurnedAside(mesh, out, turned, dt) ? turned : out;
}

dWorldID worldOf(dGeomID geom1, dGeomID geom2) {
  const dBodyID first = dGeomGetBody(geom1), body = first != nullptr ? first : dGeomGetBody(geom2);
  return body != nullptr ? dBodyGetWorld(body) : nullptr;
}

double approachSpeed(const dContactGeom& c) {
  double speed = 0;
  for (const dGeomID geom : {c.g1, c.g2}) {
    const dBodyID body = dGeomGetBody(geom);
    if (body == nullptr) continue;
    dVector3 velocity;
    dBodyGetPointVel(body, c.pos[0], c.pos[1], c.pos[2], velocity);
    const double along = dot(vec3(velocity), vec3(c.normal));
    speed += geom == c.g1 ? -along : along;
  }
  return speed;
}

void GeomPaces::enter(dWorldID world) {
  dVector3 gravity;
  dWorldGetGravity(world, gravity);
  world_ = world;
  fall_sq_ = lengthSq(vec3(gravity)) * dt_ * dt_;
}

Pace GeomPaces::of(dGeomID geom, const Mesh& mesh) {
  const dBodyID body = dGeomGetBody(geom);
  if (body == nullptr || dBodyIsEnabled(body) == 0) return Pace::kSlow;
  if (!(vec3(dBodyGetForce(body)) == Vec3{})) return Pace::kFast;
  if (const dWorldID world = dBodyGetWorld(body); world != world_) enter(world);
  // As if gravity could act along the velocity.
  const double speed_sq = 2 * (lengthSq(vec3(dBodyGetLinearVel(body))) + fall_sq_);
  const double spin_sq = lengthSq(vec3(dBodyGetAngularVel(body)));
  double arm_sq = 0;
  if (spin_sq != 0) {  // by way of the mesh's origin, which spares its rotation
    const Vec3 origin = vec3(dGeomGetPosition(geom)) - vec3(dBodyGetPosition(body));
    arm_sq = 2 * (lengthSq(origin) + lengthSq(mesh.sphereCentre()));
  }
  const double most_sq = greatestMotionSq(mesh, speed_sq, spin_sq, arm_sq, dt_);
  if (isWithin(most_sq, kBriskShare, mesh)) return Pace::kSlow;
  return isWithin(most_sq, kFastShare, mesh) ? Pace::kBrisk : Pace::kFast;
}

}  // namespace odemesh::ode
