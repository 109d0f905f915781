// odemeshCollideSpeculative: what dCollide finds, and what the coming step would bring.
#include <odemesh/odemesh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <odemesh/collide.hpp>
#include <odemesh/motion.hpp>
#include <span>
#include <utility>

#include "constants.hpp"
#include "contact/pair_order.hpp"
#include "motion/centre_guards.hpp"
#include "motion/impacts_behind.hpp"
#include "motion/sweep.hpp"
#include "ode/contact_log.hpp"
#include "ode/deflected_impacts.hpp"
#include "ode/delivery.hpp"
#include "ode/errors.hpp"
#include "ode/geom_motion.hpp"
#include "ode/held_impacts.hpp"
#include "ode/impact_contacts.hpp"
#include "ode/operand.hpp"
#include "ode/pair_memory.hpp"
#include "ode/plane_impacts.hpp"
#include "ode/reinforce.hpp"
#include "ode/settings.hpp"
#include "ode/speculative_call.hpp"
#include "ode/struck_pair.hpp"
#include "ode/trimesh_collider.hpp"
#include "ode/trimesh_reader.hpp"

namespace odemesh::ode {

namespace {

/// Of one pair, in this thread's list. Those of the guards come first.
struct Impacts {
  std::span<Impact> room;  ///< what the list may hold
  std::size_t count = 0;
  CentreGuards guards{};

  /// Where there is room for few contacts, up to half of it, and the only place if something is fast, goes to
  /// impacts.
  [[nodiscard]] static Impacts beside(const SpeculativeCall& r, int touching, bool are_slow) {
    return {roomForImpacts(std::max(r.room - touching, (r.room + (are_slow ? 0 : 1)) / 2))};
  }
  [[nodiscard]] std::span<Impact> all() const { return room.first(count); }
  void add(const CentreGuards& found) {
    guards = found;
    guards.count = std::min(found.count, room.size());
    std::ranges::transform(guards.all(), room.begin(), &CentreGuard::impact);
    count = guards.count;
  }
};

/// Does a contact push a body through the plate in front of which its centre is to be kept? It opposes the
/// guard, and the centre is behind its surface. The far wall of a crack pushes against the guard, too, but
/// there the centre is in front.
[[nodiscard]] bool contradicts(const dContactGeom& c, const CentreGuard& guard) {
  const Vec3 normal = vec3(c.normal), way = guard.side == 0 ? normal : -normal;
  const Vec3 surface = vec3(c.pos) + way * (0.5 * double(c.depth));
  return dot(normal, guard.impact.normal) < kContradiction && dot(guard.centre - surface, way) < 0;
}

/// Moves the contacts that stand to the front and returns how many they are.
[[nodiscard]] int dropContradicting(const SpeculativeCall& r, int touching,
                                    std::span<const CentreGuard> guards) {
  if (guards.empty()) return touching;
  int kept = 0;
  for (int i = 0; i < touching; ++i) {
    const dContact& c = r.at(i);
    if (std::ranges::any_of(guards, [&](const CentreGuard& g) { return contradicts(c.geom, g); })) continue;
    dContact& to = r.at(kept++);
    to.geom = c.geom;
    to.surface = c.surface;
  }
  return kept;
}

/// Gives `count` contacts the caller's surface. Returns how many they are.
int dress(const SpeculativeCall& r, int count) {
  for (int i = 0; i < count; ++i) r.at(i).surface = r.surfaceOrNone();
  return count;
}

/// Writes the impacts that `standing` contacts do not prevent behind these, the first of them if there is no
/// room for all. Returns how many contacts there are.
[[nodiscard]] int finish(const SpeculativeCall& r, int standing, Impacts impacts, const PairMotion& motion) {
  impacts.count = dropHeld(impacts.all(), r.contacts, standing, motion);
  const int begin = std::min(standing, r.room - int(impacts.count));
  int written = begin;
  for (const Impact& impact : impacts.all()) {
    dContact& to = r.at(written++);
    writeImpact(impact, r, to);
    stopInTime(to, approachAlong(motion.first, motion.second, vec3(to.geom.pos), vec3(to.geom.normal)),
               motion.thickness, r.dt);
  }
  if (written > begin) bounceThatComeAbout(impacts.all(), r, begin);
  return written;
}

/// What dCollide finds, with the caller's surface. Pairs that are told apart without it count all the same.
[[nodiscard]] int touchingOf(const SpeculativeCall& r, bool may_touch) {
  if (may_touch) return dress(r, dCollide(r.g1, r.g2, r.flags, &r.at(0).geom, r.contacts.stride));
  if (odemeshIsInstalled() != 0) add(counters().pairs, 1);
  return 0;
}

/// What dCollide finds, reinforced. ODE calls an override for two geoms of one class with these swapped, and
/// turns the contacts round again.
[[nodiscard]] int touchingMeshes(const SpeculativeCall& r, const Operand& a, const Operand& b) {
  if (odemeshIsInstalled() == 0) return touchingOf(r, true);
  const int count = collideMeeting({r.g2, r.g1, r.flags, &r.at(0).geom, r.contacts.stride}, b, a);
  for (int i = 0; i < count; ++i) turnRound(r.at(i).geom);
  if (count == 0) return 0;
  const Mesh &mesh1 = a.mesh(), &mesh2 = b.mesh();
  const Vec3 middle = (a.pose().apply(mesh1.sphereCentre()) + b.pose().apply(mesh2.sphereCentre())) * 0.5;
  return reinforce(r.contacts, dress(r, count), r.room,
                   {std::min(mesh1.sphereRadius(), mesh2.sphereRadius()), middle}, r.dt);
}

/// What two meshes may do in a step, at a first look.
struct Outlook {
  bool may_touch;   ///< where they are
  bool is_fast;     ///< one of them, or both
  bool is_brisk;    ///< one of them, or both, or fast
  bool may_follow;  ///< each other, so closely that they meet if one is stopped

  [[nodiscard]] bool isQuiet() const { return !is_fast && !may_follow; }
};

[[nodiscard]] Outlook outlookOf(const SpeculativeCall& r, const Operand& a, const Operand& b) {
  GeomPaces paces(r.dt);
  const Pace first = paces.of(r.g1, a.mesh()), second = paces.of(r.g2, b.mesh());
  const bool first_is_slow = first == Pace::kSlow, second_is_slow = second == Pace::kSlow;
  return {mayCollide(a.mesh(), a.pose(), b.mesh(), b.pose(), options().contact_margin),
          first == Pace::kFast || second == Pace::kFast, !first_is_slow || !second_is_slow,
          !first_is_slow && !second_is_slow};
}

/// Does the memory of pairs, which knows them as ODE asks for them, tell that the meshes stay apart even if
/// one is stopped?
[[nodiscard]] bool areSureToStayApart(const SpeculativeCall& r, const Operand& a, const Motion& motion1,
                                      const Operand& b, const Motion& motion2) {
  const Mesh &mesh1 = a.mesh(), &mesh2 = b.mesh();
  const double margin = options().contact_margin;
  const double ahead = std::max(greatestMotion(mesh1, motion1, r.dt), greatestMotion(mesh2, motion2, r.dt));
  return pairMemory().knowsStayingApart({r.g2, r.g1}, {b.serial(), a.serial(), margin},
                                        orderedPair(mesh2, b.pose(), mesh1, a.pose(), margin).pair, ahead);
}

/// Of meshes that may touch, or that move far, and that stay where a triangle callback changes the data.
int collideNear(const SpeculativeCall& r, const Operand& a, const Operand& b, const Outlook& outlook) {
  const Mesh &mesh1 = a.mesh(), &mesh2 = b.mesh();
  const auto motion = [&](dGeomID geom, const Operand& operand) {
    if (outlook.is_fast) return freeMotionOf(geom, operand.mesh(), operand.pose(), r.dt);
    return outlook.is_brisk ? motionOf(geom, operand.pose(), r.dt) : restOf(geom, operand.pose());
  };
  const Motion motion1 = motion(r.g1, a), motion2 = motion(r.g2, b);
  const int touching = outlook.may_touch ? touchingMeshes(r, a, b) : touchingOf(r, false);
  Impacts impacts = Impacts::beside(r, touching, !outlook.is_fast);
  // A centre is guarded from surfaces that reach into its mesh.
  if (outlook.may_touch) impacts.add(guardCentres(mesh1, motion1, mesh2, motion2));
  if (outlook.is_fast) {
    const auto find = touching > 0 || impacts.count > 0 ? findImpacts : findImpactsOrOverlaps;
    impacts.count += find(mesh1, motion1, mesh2, motion2, r.dt, impacts.room.subspan(impacts.count));
  }
  if (outlook.may_follow && touching == 0 && impacts.count == 0 &&
      !areSureToStayApart(r, a, motion1, b, motion2))
    impacts.count = findImpactsIfStopped(mesh1, motion1, mesh2, motion2, r.dt, impacts.room);
  const int standing = dropContradicting(r, touching, impacts.guards.all());
  const double thickness = std::min(mesh1.thickness(), mesh2.thickness());
  int count = standing;
  if (impacts.count > 0) {
    const double way = greatestMotion(mesh1, motion1, r.dt) + greatestMotion(mesh2, motion2, r.dt);
    const double radius = std::min(mesh1.sphereRadius(), mesh2.sphereRadius());
    count = finish(r, standing, impacts, {motion1, motion2, radius, thickness, way, r.dt});
  }
  if (!outlook.is_brisk) return count;
  Deflection deflection(r.contacts, {motion1, motion2}, r.dt);
  const int then = addOfDeflected(
      r, count, deflection, thickness, [&](Front front, const Deflected& after, std::span<Impact> room) {
        const bool is_aside =
            isTurnedAside(mesh1, motion1, after[0], r.dt) || isTurnedAside(mesh2, motion2, after[1], r.dt);
        const bool is_fast = outlook.is_fast || isEitherFast(mesh1, after[0], mesh2, after[1], r.dt);
        return is_fast && is_aside ? findImpactsBehind(front, mesh1, after[0], mesh2, after[1], r.dt, room)
                                   : 0;
      });
  return outlook.is_fast && then > 0 ? addOfOverlaps(r, then, deflection, mesh1, mesh2) : then;
}

/// Most pairs that a space reports are apart, and slow: they end after one look at their bounds.
int collideMeshes(const SpeculativeCall& r) {
  Operand a(r.g1), b(r.g2);
  if (!a.isUsable() || !b.isUsable()) return touchingOf(r, true);
  const Outlook outlook = outlookOf(r, a, b);
  if (!outlook.may_touch && outlook.isQuiet()) return touchingOf(r, false);
  a.keep();
  b.keep();
  return collideNear(r, a, b, outlook);
}

/// What dCollide finds, reinforced. ODE turns the contacts round if the plane comes first.
[[nodiscard]] int touchingPlane(const SpeculativeCall& r, dGeomID mesh_geom, dGeomID plane_geom,
                                const Mesh& mesh, const Pose& pose, const HalfSpace& plane) {
  if (odemeshIsInstalled() == 0) return touchingOf(r, true);
  const PairExtent extent{mesh.sphereRadius(), pose.apply(mesh.sphereCentre())};
  const int count =
      collideOnPlane({mesh_geom, plane_geom, r.flags, &r.at(0).geom, r.contacts.stride}, mesh, pose, plane);
  if (mesh_geom == r.g2)
    for (int i = 0; i < count; ++i) turnRound(r.at(i).geom);
  return reinforce(r.contacts, dress(r, count), r.room, extent, r.dt);
}

/// The contacts of a mesh that is brisk: what it touches, of which there are so many, and what it will meet.
[[nodiscard]] int addPlaneImpacts(const SpeculativeCall& r, int touching, const PlaneImpacts& search,
                                  const Motion& motion, const Motion& still) {
  const Mesh& mesh = search.mesh;
  const bool is_fast = isFast(mesh, motion, r.dt);
  Impacts impacts = Impacts::beside(r, touching, !is_fast);
  if (is_fast) impacts.count = search.find({}, motion, impacts.room);
  const double way = greatestMotion(mesh, motion, r.dt);
  const std::array motions{search.mesh_is_first ? motion : still, search.mesh_is_first ? still : motion};
  const int count = finish(r, touching, impacts,
                           {motions[0], motions[1], mesh.sphereRadius(), mesh.thickness(), way, r.dt});
  Deflection deflection(r.contacts, motions, r.dt);
  return addOfDeflected(r, count, deflection, mesh.thickness(),
                        [&](Front front, const Deflected& after, std::span<Impact> room) {
                          const Motion& left = after[search.mesh_is_first ? 0 : 1];
                          const bool may_strike = (is_fast || isFast(mesh, left, r.dt)) &&
                                                  isTurnedAside(mesh, motion, left, r.dt);
                          return may_strike ? search.find(front, left, room) : 0;
                        });
}

int collideMeshAndPlane(const SpeculativeCall& r, dGeomID mesh_geom, dGeomID plane_geom) {
  Operand mesh(mesh_geom);
  if (!mesh.isUsable()) return touchingOf(r, true);
  const HalfSpace plane = halfSpaceOf(plane_geom);
  const bool may_touch =
      mayCollidePlane(mesh.mesh(), mesh.pose(), plane.normal, plane.offset, options().contact_margin);
  const bool is_slow = GeomPaces(r.dt).of(mesh_geom, mesh.mesh()) == Pace::kSlow;
  if (!is_slow) mesh.keep();  // where a triangle callback changes the data
  const int touching = may_touch ? touchingPlane(r, mesh_geom, plane_geom, mesh.mesh(), mesh.pose(), plane)
                                 : touchingOf(r, false);
  if (is_slow) return touching;
  return addPlaneImpacts(r, touching, {mesh.mesh(), plane, mesh_geom == r.g1, r.dt},
                         freeMotionOf(mesh_geom, mesh.mesh(), mesh.pose(), r.dt), restOf(plane_geom, {}));
}

int failArguments() {
  fail(ODEMESH_ERROR_ARGUMENT,
       "odemeshCollideSpeculative: give it two geoms (no spaces), dt > 0, room and stride for dContacts");
  return 0;
}

/// With no more room than the options allow a pair.
[[nodiscard]] SpeculativeCall limited(SpeculativeCall r) {
  r.room = roomBeside(0, r.room);
  return r;
}

/// The parts of a body don't collide with each other.
[[nodiscard]] bool areOfOneBody(dGeomID g1, dGeomID g2) {
  const dBodyID body = dGeomGetBody(g1);
  return g1 == g2 || (body != nullptr && body == dGeomGetBody(g2));
}

/// Other shapes than meshes and planes have no impacts.
int collideSpeculative(const SpeculativeCall& r) {
  const int class1 = dGeomGetClass(r.g1), class2 = dGeomGetClass(r.g2);
  if (isSpaceClass(class1) || isSpaceClass(class2)) return failArguments();
  if (areOfOneBody(r.g1, r.g2)) return 0;
  if (StruckPair* const pair = PairInHand::of(r.g1, r.g2); pair != nullptr) return collideStruck(r, *pair);
  if (class1 == dTriMeshClass && class2 == dTriMeshClass) return collideMeshes(limited(r));
  if (class1 == dTriMeshClass && class2 == dPlaneClass) return collideMeshAndPlane(limited(r), r.g1, r.g2);
  if (class1 == dPlaneClass && class2 == dTriMeshClass) return collideMeshAndPlane(limited(r), r.g2, r.g1);
  return touchingOf(r, true);
}

}  // namespace

}  // namespace odemesh::ode

using namespace odemesh::ode;

extern "C" int odemeshCollideSpeculative(dGeomID g1, dGeomID g2, dReal dt, int flags,
                                         const dSurfaceParameters* surface, dContact* contacts, int stride) {
  const int room = flags & kContactCountMask;
  if (g1 == nullptr || g2 == nullptr || contacts == nullptr || room == 0 || stride < int(sizeof(dContact)) ||
      !(dt > 0) || !std::isfinite(dt))
    return failArguments();
  return runGuarded([&] {
    const int count = collideSpeculative({g1, g2, double(dt), flags, room, surface, {contacts, stride}});
    ContactLog::tell({contacts, stride}, count);
    return count;
  });
}
