// One dCollide call, from ODE's geoms to the pipeline.
#include "ode/trimesh_collider.hpp"

#include <odemesh/collide.hpp>

#include "ode/delivery.hpp"
#include "ode/operand.hpp"
#include "ode/other_copy.hpp"
#include "ode/pair_memory.hpp"
#include "ode/settings.hpp"

namespace odemesh::ode {

namespace {

int collideMeshes(const ColliderCall& call) {
  add(counters().pairs, 1);
  Operand a;
  Operand b;
  if (!readOperand(call.o1, a) || !readOperand(call.o2, b)) {
    add(counters().errors, 1);
    return 0;
  }
  const double margin = options().contact_margin;
  return deliver(call, [&](std::span<Contact> room, QueryStats& stats) {
    const PairQuestion question{call.o1, call.o2, a.cached.serial, b.cached.serial,
                                a.pose,  b.pose,  margin,          room.size()};
    return pairMemory().answer(question, room, stats, [&](std::span<Contact> out, QueryStats& of_call) {
      return collide(*a.cached.mesh, a.pose, *b.cached.mesh, b.pose, out, &of_call, margin);
    });
  });
}

int collideMeshAndPlane(const ColliderCall& call) {
  add(counters().pairs, 1);
  Operand mesh;
  if (!readOperand(call.o1, mesh)) {
    add(counters().errors, 1);
    return 0;
  }
  dVector4 plane;
  dGeomPlaneGetParams(call.o2, plane);
  return deliver(call, [&](std::span<Contact> out, QueryStats& stats) {
    return collidePlane(*mesh.cached.mesh, mesh.pose, {double(plane[0]), double(plane[1]), double(plane[2])},
                        double(plane[3]), out, &stats, options().contact_margin);
  });
}

}  // namespace

int collideTrimeshes(dGeomID o1, dGeomID o2, int flags, dContactGeom* contacts, int skip) noexcept {
  if (answerOtherCopy(contacts, skip)) return 0;
  return runGuarded({o1, o2, flags, contacts, skip}, collideMeshes);
}

int collideTrimeshAndPlane(dGeomID o1, dGeomID o2, int flags, dContactGeom* contacts, int skip) noexcept {
  return runGuarded({o1, o2, flags, contacts, skip}, collideMeshAndPlane);
}

}  // namespace odemesh::ode
