// One dCollide call, from ODE's geoms to the pipeline.
#include "ode/trimesh_collider.hpp"

#include <algorithm>

#include "collide_pair.hpp"
#include "ode/delivery.hpp"
#include "ode/eased_depth.hpp"
#include "ode/operand.hpp"
#include "ode/other_copy.hpp"
#include "ode/pair_memory.hpp"
#include "ode/settings.hpp"

namespace odemesh::ode {

namespace {

/// Does the caller only ask whether the geoms touch? Not whoever has room for more than the options allow.
[[nodiscard]] bool isContentWithAny(const ColliderCall& call, std::span<const Contact> room) {
  return room.size() == 1 && (call.flags & kContactCountMask) <= 1 &&
         (static_cast<unsigned>(call.flags) & CONTACTS_UNIMPORTANT) != 0;
}

int collideOperands(const ColliderCall& call, const Operand& a, const Operand& b, Bounds bounds) {
  const Mesh &mesh1 = *a.cached.mesh, &mesh2 = *b.cached.mesh;
  const double size = std::min(mesh1.sphereRadius(), mesh2.sphereRadius());
  const double margin = options().contact_margin;
  return deliver(call, [&](std::span<Contact> room, QueryStats& stats) {
    if (isContentWithAny(call, room) && collideAny(mesh1, a.pose, mesh2, b.pose, room[0], stats) > 0) {
      easeDepths(room, size);
      return room.size();
    }
    const auto question = [&] {
      return PairQuestion{call.o1, call.o2, a.cached.serial, b.cached.serial,
                          a.pose,  b.pose,  margin,          room.size()};
    };
    const auto compute = [&](std::span<Contact> out, QueryStats& of_call, NearPairs* near) {
      const std::size_t count = collidePair(mesh1, a.pose, mesh2, b.pose, out, of_call, margin, near, bounds);
      easeDepths(out.first(count), size);
      return count;
    };
    const PairMatter matter{a.cached.serial, b.cached.serial, margin};
    return pairMemory().answer({call.o1, call.o2}, matter, question, room, stats, compute);
  });
}

int collideMeshes(const ColliderCall& call) {
  add(counters().pairs, 1);
  pairMemory().prefetch({call.o1, call.o2});
  Operand a;
  Operand b;
  if (readOperand(call.o1, a) && readOperand(call.o2, b))
    return collideOperands(call, a, b, Bounds::kUnknown);
  add(counters().errors, 1);
  return 0;
}

int collideOperandAndPlane(const ColliderCall& call, const Mesh& mesh, const Pose& pose,
                           const HalfSpace& plane) {
  return deliver(call, [&](std::span<Contact> out, QueryStats& stats) {
    const std::size_t count =
        collidePlane(mesh, pose, plane.normal, plane.offset, out, &stats, options().contact_margin);
    easeDepths(out.first(count), mesh.sphereRadius());
    return count;
  });
}

int collideMeshAndPlane(const ColliderCall& call) {
  add(counters().pairs, 1);
  Operand mesh;
  if (readOperand(call.o1, mesh))
    return collideOperandAndPlane(call, *mesh.cached.mesh, mesh.pose, halfSpaceOf(call.o2));
  add(counters().errors, 1);
  return 0;
}

}  // namespace

int collideTrimeshes(dGeomID o1, dGeomID o2, int flags, dContactGeom* contacts, int skip) noexcept {
  if (answerOtherCopy(contacts, skip)) return 0;
  return runGuarded([&] { return collideMeshes({o1, o2, flags, contacts, skip}); });
}

int collideMeeting(const ColliderCall& call, const Operand& a, const Operand& b) noexcept {
  add(counters().pairs, 1);
  return runGuarded([&] { return collideOperands(call, a, b, Bounds::kMeet); });
}

int collideOnPlane(const ColliderCall& call, const Mesh& mesh, const Pose& pose,
                   const HalfSpace& plane) noexcept {
  add(counters().pairs, 1);
  return runGuarded([&] { return collideOperandAndPlane(call, mesh, pose, plane); });
}

int collideTrimeshAndPlane(dGeomID o1, dGeomID o2, int flags, dContactGeom* contacts, int skip) noexcept {
  return runGuarded([&] { return collideMeshAndPlane({o1, o2, flags, contacts, skip}); });
}

}  // namespace odemesh::ode
