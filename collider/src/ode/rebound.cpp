#include "ode/rebound.hpp"

#include "ode/geom_motion.hpp"
#include "ode/trimesh_reader.hpp"

namespace odemesh::ode {

namespace {

/// The x for which `m` x is `b`; zero if `m`, which is symmetric, has no inverse.
[[nodiscard]] Vec3 solve(const Mat3& m, const Vec3& b) {
  const Vec3 first = cross(m.row[1], m.row[2]);
  const double determinant = dot(m.row[0], first);
  if (determinant == 0) return {};
  return Vec3{dot(b, first), dot(b, cross(m.row[2], m.row[0])), dot(b, cross(m.row[0], m.row[1]))} /
         determinant;
}

}  // namespace

Rebound::Change Rebound::ofUnitImpulse(dGeomID geom, const dContactGeom& c, double sign) {
  const dBodyID body = dGeomGetBody(geom);
  if (body == nullptr || dBodyIsKinematic(body) != 0) return {};
  dMass mass;
  dBodyGetMass(body, &mass);
  const Mat3 inertia = matrixOf(mass.I), rotation = matrixOf(dBodyGetRotation(body));
  const Vec3 centre = vec3(dBodyGetPosition(body)), impulse = vec3(c.normal) * sign;
  const Vec3 torque = rotation.transposed() * cross(vec3(c.pos) - centre, impulse);
  return {centre, impulse / double(mass.mass), rotation * solve(inertia, torque)};
}

Rebound::Rebound(const dContactGeom& contact, double bounce)
    : change_{ofUnitImpulse(contact.g1, contact, 1), ofUnitImpulse(contact.g2, contact, -1)} {
  if (const double parting = partingAt(contact); parting > 0)
    impulse_ = (1 + bounce) * approachSpeed(contact) / parting;
}

/// The speed that a unit impulse gives.
double Rebound::partingAt(const dContactGeom& c) const {
  return dot(change_[0].at(vec3(c.pos)) - change_[1].at(vec3(c.pos)), vec3(c.normal));
}

bool Rebound::approachAt(const dContactGeom& c) const {
  return approachSpeed(c) - impulse_ * partingAt(c) > 0;
}

}  // namespace odemesh::ode
