#include "ode/unit_impulse.hpp"

#include "cofactors.hpp"
#include "ode/geom_motion.hpp"
#include "ode/trimesh_reader.hpp"

namespace odemesh::ode {

namespace {

/// The x for which `m` x is `b`; zero if `m`, which is symmetric, has no inverse.
[[nodiscard]] Vec3 solve(const Mat3& m, const Vec3& b) {
  const Mat3 cofactors = cofactorsOf(m);
  const double determinant = determinantOf(m, cofactors);
  return determinant != 0 ? cofactors * b / determinant : Vec3{};
}

[[nodiscard]] BodyChange changeOf(dGeomID geom, const dContactGeom& c, const Vec3& impulse) {
  const dBodyID body = dGeomGetBody(geom);
  if (body == nullptr || dBodyIsKinematic(body) != 0) return {};
  dMass mass;
  dBodyGetMass(body, &mass);
  const Mat3 inertia = matrixOf(mass.I), rotation = matrixOf(dBodyGetRotation(body));
  const Vec3 centre = vec3(dBodyGetPosition(body));
  const Vec3 torque = rotation.transposed() * cross(vec3(c.pos) - centre, impulse);
  return {centre, impulse / double(mass.mass), rotation * solve(inertia, torque)};
}

}  // namespace

UnitImpulse::UnitImpulse(const dContactGeom& c, const Vec3& direction)
    : change_{changeOf(c.g1, c, direction), changeOf(c.g2, c, -direction)} {}

double UnitImpulse::partingAt(const dContactGeom& c, const Vec3& direction) const {
  return dot(change_[0].at(vec3(c.pos)) - change_[1].at(vec3(c.pos)), direction);
}

}  // namespace odemesh::ode
