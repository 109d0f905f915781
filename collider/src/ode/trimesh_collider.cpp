// One dCollide call, from ODE's geoms to the pipeline.
#include "ode/trimesh_collider.hpp"

#include <algorithm>

#include "collide_pair.hpp"
#include "ode/body_motion.hpp"
#include "ode/delivery.hpp"
#include "ode/eased_depth.hpp"
#include "ode/operand.hpp"
#include "ode/other_copy.hpp"
#include "ode/pair_memory.hpp"
#include "ode/reinforce.hpp"
#include "ode/settings.hpp"
#include "ode/strike_point.hpp"

namespace odemesh::ode {

namespace {

/// Does the caller only ask whether the geoms touch? Not whoever has room for more than the options allow.
[[nodiscard]] bool isContentWithAny(const ColliderCall& call, std::span<const Contact> room) {
  return room.size() == 1 && (call.flags & kContactCountMask) <= 1 &&
         (static_cast<unsigned>(call.flags) & CONTACTS_UNIMPORTANT) != 0;
}

/// Whose bounds meet. Neither is looked at after a callback of the program's.
int collideOperands(const ColliderCall& call, const Operand& a, const Operand& b) {
  const Mesh &mesh1 = a.mesh(), &mesh2 = b.mesh();
  const double size = std::min(mesh1.sphereRadius(), mesh2.sphereRadius());
  const double margin = options().contact_margin;
  const std::optional<RelativeMotion> motion = relativeMotionOf(call.o1, call.o2);
  return deliver(call, [&](std::span<Contact> room, QueryStats& stats) {
    if (isContentWithAny(call, room) && collideAny(mesh1, a.pose(), mesh2, b.pose(), room[0], stats) > 0) {
      easeDepths(room, size);
      return room.size();
    }
    const auto question = [&] {
      return PairQuestion{call.o1,    call.o2,     a.serial(),
                          b.serial(), a.pose(),    b.pose(),
                          margin,     room.size(), motion.value_or(RelativeMotion{})};
    };
    const auto compute = [&](std::span<Contact> out, QueryStats& of_call, NearPairs* near) {
      const std::size_t count = collidePair(mesh1, a.pose(), mesh2, b.pose(), out, of_call, margin, near,
                                            Bounds::kMeet, motion ? &*motion : nullptr);
      easeDepths(out.first(count), size);
      return count;
    };
    const PairMatter matter{a.serial(), b.serial(), margin};
    return pairMemory().answer({call.o1, call.o2}, matter, question, room, stats, compute);
  });
}

/// Counted, but for the reason, which is recorded already.
int failUnusable() {
  add(counters().errors, 1);
  return 0;
}

/// Of contacts that were delivered, and counted, there are fewer or more now. Returns how many.
int recount(int delivered, int now) {
  add(counters().contacts, std::size_t(now) - std::size_t(delivered));
  return now;
}

/// Most pairs that a space reports are apart, and end after one look at their bounds.
int collideMeshes(const ColliderCall& call) {
  add(counters().pairs, 1);
  const Operand a(call.o1), b(call.o2);
  if (!a.isUsable() || !b.isUsable()) return failUnusable();
  if (!mayCollide(a.mesh(), a.pose(), b.mesh(), b.pose(), options().contact_margin)) return 0;
  const Vec3 middle = 0.5 * (a.pose().translation + b.pose().translation);
  const PairExtent extent{std::min(a.mesh().sphereRadius(), b.mesh().sphereRadius()), middle};
  const GeomArray contacts{call.contacts, call.skip};
  const int count = collideOperands(call, a, b);
  const int striking = strikeInPoints(contacts, count, extent.radius);
  return recount(count, reinforceFree(contacts, striking, contactLimit(call.flags), extent));
}

int collideOperandAndPlane(const ColliderCall& call, const Mesh& mesh, const Pose& pose,
                           const HalfSpace& plane) {
  const std::optional<RelativeMotion> motion = relativeMotionOf(call.o1, call.o2);
  return deliver(call, [&](std::span<Contact> out, QueryStats& stats) {
    const std::size_t count = collideHalfSpace(mesh, pose, plane, out, stats, options().contact_margin,
                                               motion ? &*motion : nullptr);
    easeDepths(out.first(count), mesh.sphereRadius());
    return count;
  });
}

int collideMeshAndPlane(const ColliderCall& call) {
  add(counters().pairs, 1);
  const Operand mesh(call.o1);
  if (!mesh.isUsable()) return failUnusable();
  const int count = collideOperandAndPlane(call, mesh.mesh(), mesh.pose(), halfSpaceOf(call.o2));
  return recount(count, strikeInPoints({call.contacts, call.skip}, count, mesh.mesh().sphereRadius()));
}

}  // namespace

int collideTrimeshes(dGeomID o1, dGeomID o2, int flags, dContactGeom* contacts, int skip) noexcept {
  if (answerOtherCopy(contacts, skip)) return 0;
  return runGuarded([&] { return collideMeshes({o1, o2, flags, contacts, skip}); });
}

int collideMeeting(const ColliderCall& call, const Operand& a, const Operand& b) noexcept {
  add(counters().pairs, 1);
  return runGuarded([&] { return collideOperands(call, a, b); });
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
