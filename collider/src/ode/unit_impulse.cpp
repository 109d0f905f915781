#include "ode/unit_impulse.hpp"

#include "cofactors.hpp"
#include "ode/trimesh_reader.hpp"
#include "ode/vec3.hpp"

namespace odemesh::ode {

BodyResponse::BodyResponse(dGeomID geom) {
  const dBodyID body = dGeomGetBody(geom);
  if (body == nullptr) return;
  centre_ = vec3(dBodyGetPosition(body));
  if (dBodyIsKinematic(body) != 0) return;
  dMass mass;
  dBodyGetMass(body, &mass);
  const Mat3 inertia = matrixOf(mass.I);
  mass_ = double(mass.mass);
  rotation_ = matrixOf(dBodyGetRotation(body));
  cofactors_ = cofactorsOf(inertia);
  determinant_ = determinantOf(inertia, cofactors_);
}

BodyChange BodyResponse::to(const Vec3& impulse, const Vec3& place) const {
  if (mass_ == 0) return {};
  const Vec3 torque = rotation_.transposed() * cross(place - centre_, impulse);
  const Vec3 spin = determinant_ != 0 ? cofactors_ * torque / determinant_ : Vec3{};
  return {centre_, impulse / mass_, rotation_ * spin};
}

UnitImpulse::UnitImpulse(const PairResponse& pair, const dContactGeom& c, const Vec3& direction)
    : change_{pair[0].to(direction, vec3(c.pos)), pair[1].to(-direction, vec3(c.pos))} {}

UnitImpulse::UnitImpulse(const dContactGeom& c, const Vec3& direction)
    : UnitImpulse(PairResponse{BodyResponse(c.g1), BodyResponse(c.g2)}, c, direction) {}

double UnitImpulse::partingAt(const dContactGeom& c, const Vec3& direction) const {
  return dot(change_[0].at(vec3(c.pos)) - change_[1].at(vec3(c.pos)), direction);
}

}  // namespace odemesh::ode
