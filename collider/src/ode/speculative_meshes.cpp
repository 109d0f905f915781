#include "ode/speculative_meshes.hpp"

#include <algorithm>
#include <array>
#include <odemesh/collide.hpp>
#include <odemesh/motion.hpp>
#include <span>

#include "collide_pair.hpp"
#include "contact/pair_order.hpp"
#include "motion/centre_guards.hpp"
#include "motion/impacts_behind.hpp"
#include "motion/sweep.hpp"
#include "ode/deflected_impacts.hpp"
#include "ode/delivery.hpp"
#include "ode/geom_motion.hpp"
#include "ode/hovering.hpp"
#include "ode/impact_contacts.hpp"
#include "ode/operand.hpp"
#include "ode/pair_memory.hpp"
#include "ode/reinforce.hpp"
#include "ode/settings.hpp"
#include "ode/speculative_contacts.hpp"
#include "ode/standing_corners.hpp"
#include "ode/strike_point.hpp"
#include "ode/trimesh_collider.hpp"

namespace odemesh::ode {

namespace {

/// Contacts whose normal is at a lesser cosine with that of a guard contradict it.
constexpr double kContradiction = -0.2;

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

[[nodiscard]] Vec3 middleOf(const Operand& a, const Operand& b) {
  return (a.pose().apply(a.mesh().sphereCentre()) + b.pose().apply(b.mesh().sphereCentre())) * 0.5;
}

/// What dCollide finds, reinforced. ODE calls an override for two geoms of one class with these swapped, and
/// turns the contacts round again.
[[nodiscard]] int touchingMeshes(const SpeculativeCall& r, const Operand& a, const Operand& b) {
  if (odemeshIsInstalled() == 0) return touchingOf(r, true);
  const int count = collideMeeting({r.g2, r.g1, r.flags, &r.at(0).geom, r.contacts.stride}, b, a);
  for (int i = 0; i < count; ++i) turnRound(r.at(i).geom);
  if (count == 0) return 0;
  const double radius = std::min(a.mesh().sphereRadius(), b.mesh().sphereRadius());
  const int striking = dress(r, strikeInPoints(r.contacts.geoms(), count, radius, r.dt));
  yieldWhereParting(r, striking, std::min(a.mesh().thickness(), b.mesh().thickness()));
  return reinforce(r.contacts, striking, r.room, {radius, middleOf(a, b)}, r.dt);
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

/// Of meshes that may touch, or that move far, and that stay where a triangle callback changes the data.
class NearMeshes {
 public:
  NearMeshes(const SpeculativeCall& r, const Operand& a, const Operand& b, const Outlook& outlook)
      : r_(r),
        a_(a),
        b_(b),
        mesh1_(a.mesh()),
        mesh2_(b.mesh()),
        outlook_(outlook),
        motion1_(motion(r.g1, a)),
        motion2_(motion(r.g2, b)) {}

  /// Writes the contacts and returns how many they are.
  [[nodiscard]] int collide() const {
    const int touching = outlook_.may_touch ? touchingMeshes(r_, a_, b_) : touchingOf(r_, false);
    const Impacts impacts = impactsBeside(touching);
    const int standing = dropContradicting(r_, touching, impacts.guards.all());
    const int count = impacts.count > 0 ? finish(r_, standing, impacts, pairMotion()) : addHovering(standing);
    return outlook_.is_brisk ? addOfDeflection(count) : count;
  }

 private:
  [[nodiscard]] Motion motion(dGeomID geom, const Operand& operand) const {
    if (outlook_.is_fast) return freeMotionOf(geom, operand.mesh(), operand.pose(), r_.dt);
    return outlook_.is_brisk ? motionOf(geom, operand.pose(), r_.dt) : restOf(geom, operand.pose());
  }

  [[nodiscard]] PairMotion pairMotion() const {
    const double way = greatestMotion(mesh1_, motion1_, r_.dt) + greatestMotion(mesh2_, motion2_, r_.dt);
    const double radius = std::min(mesh1_.sphereRadius(), mesh2_.sphereRadius());
    return {motion1_, motion2_, radius, thickness(), way, r_.dt};
  }

  [[nodiscard]] double thickness() const { return std::min(mesh1_.thickness(), mesh2_.thickness()); }

  /// Those of the step, for which contacts leave room.
  [[nodiscard]] Impacts impactsBeside(int touching) const {
    Impacts impacts = Impacts::beside(r_, touching, !outlook_.is_fast);
    // A centre is guarded from surfaces that reach into its mesh.
    if (outlook_.may_touch) impacts.add(guardCentres(mesh1_, motion1_, mesh2_, motion2_));
    if (outlook_.is_fast) {
      const auto find = touching > 0 || impacts.count > 0 ? findImpacts : findImpactsOrOverlaps;
      impacts.count += find(mesh1_, motion1_, mesh2_, motion2_, r_.dt, impacts.left());
    }
    if (outlook_.may_follow && touching == 0 && impacts.count == 0 && !areSureToStayApart(greatestWay()))
      impacts.count = findImpactsIfStopped(mesh1_, motion1_, mesh2_, motion2_, r_.dt, impacts.room);
    return impacts;
  }

  /// The contacts that `hovering` is to be told of. Returns how many it wrote.
  [[nodiscard]] std::size_t findNear(const Hovering& hovering, bool do_touch, std::span<Contact> out) const {
    const double margin = hovering.margin();
    if (hovering.isOfOnePoint()) return collideClosest(mesh1_, a_.pose(), mesh2_, b_.pose(), out, margin);
    if (do_touch) return collideApart(mesh1_, a_.pose(), mesh2_, b_.pose(), out, margin);
    return odemesh::collide(mesh1_, a_.pose(), mesh2_, b_.pose(), out, nullptr, margin);
  }

  /// Adds corners that hover beside contacts that stand. Returns how many contacts there are then.
  [[nodiscard]] int addHovering(int standing) const {
    if (outlook_.is_fast || !outlook_.may_touch) return standing;
    const Hovering hovering(r_, standing, HoveringPair::of(mesh1_, a_.pose(), mesh2_, b_.pose()));
    const double margin = hovering.margin();
    if (margin == 0 || (standing == 0 ? areSureToStayApart(margin) : doCornersStand(standing, margin)))
      return standing;
    std::array<Contact, Hovering::kMostNear> room;
    const std::size_t found = findNear(hovering, standing > 0, room);
    return hovering.add(std::span(room).first(found));
  }

  [[nodiscard]] bool doCornersStand(int standing, double margin) const {
    const bool is_second = mesh2_.sphereRadius() < mesh1_.sphereRadius();
    const Operand& smaller = is_second ? b_ : a_;
    return doAllCornersStand(r_.contacts.geoms(), standing, is_second ? 1 : 0, smaller.mesh(), smaller.pose(),
                             margin);
  }

  /// Of either mesh, in the step: how far one comes if the other is stopped.
  [[nodiscard]] double greatestWay() const {
    return std::max(greatestMotion(mesh1_, motion1_, r_.dt), greatestMotion(mesh2_, motion2_, r_.dt));
  }

  /// Does the memory of pairs, which knows them as ODE asks for them, tell that the meshes stay apart if one
  /// moves by `ahead`?
  [[nodiscard]] bool areSureToStayApart(double ahead) const {
    const double margin = options().contact_margin;
    return pairMemory().knowsStayingApart({r_.g2, r_.g1}, {b_.serial(), a_.serial(), margin},
                                          orderedPair(mesh2_, b_.pose(), mesh1_, a_.pose(), margin).pair,
                                          ahead);
  }

  /// Adds what the motions that `count` contacts leave bring about. Returns how many contacts there are then.
  [[nodiscard]] int addOfDeflection(int count) const {
    Deflection deflection(r_.contacts, {motion1_, motion2_}, r_.dt);
    const int then = addOfDeflected(r_, count, deflection, thickness(),
                                    [&](Front front, const Deflected& after, std::span<Impact> room) {
                                      return findBehind(front, after, room);
                                    });
    return outlook_.is_fast && then > 0 ? addOfOverlaps(r_, then, deflection, mesh1_, mesh2_) : then;
  }

  /// The impacts of motions that turn aside from what they were.
  [[nodiscard]] std::size_t findBehind(Front front, const Deflected& after, std::span<Impact> room) const {
    const bool is_aside =
        isTurnedAside(mesh1_, motion1_, after[0], r_.dt) || isTurnedAside(mesh2_, motion2_, after[1], r_.dt);
    const bool is_fast = outlook_.is_fast || isEitherFast(mesh1_, after[0], mesh2_, after[1], r_.dt);
    return is_fast && is_aside ? findImpactsBehind(front, mesh1_, after[0], mesh2_, after[1], r_.dt, room)
                               : 0;
  }

  const SpeculativeCall& r_;
  const Operand& a_;
  const Operand& b_;
  const Mesh& mesh1_;
  const Mesh& mesh2_;
  Outlook outlook_;
  Motion motion1_, motion2_;
};

}  // namespace

int collideMeshesAhead(const SpeculativeCall& r) {
  Operand a(r.g1), b(r.g2);
  if (!a.isUsable() || !b.isUsable()) return touchingOf(r, true);
  const Outlook outlook = outlookOf(r, a, b);
  // Most pairs that a space reports are apart, and slow.
  if (!outlook.may_touch && outlook.isQuiet()) return touchingOf(r, false);
  a.keep();
  b.keep();
  return NearMeshes(r, a, b, outlook).collide();
}

}  // namespace odemesh::ode
