#include "ode/reinforce.hpp"

#include <algorithm>
#include <cmath>

#include "ode/geom_motion.hpp"

namespace odemesh::ode {

namespace {

/// In units of the smaller mesh's radius: from here on, a contact is given five times, and from twice as deep
/// seven times. What rests under a solver that has converged is far less deep.
constexpr double kSinking = 1.5e-3;
constexpr int kMostRounds = 3;
/// In the same unit, from one to the next: little enough that no lever changes.
constexpr double kSpacing = 1e-3;
/// Pairs of more contacts have the rows of flat faces on each other, which are visited often enough.
constexpr int kFewContacts = 5;
constexpr int kMostContacts = 15;
/// In units of the speed at which bodies were to part: what approaches faster meets only now.
constexpr double kMeeting = 3;

/// The speeds at which ODE's solver parts bodies.
struct Parting {
  double rate = 0;  ///< 1/s, of the depth
  double most = 0;  ///< a speed, for what overlaps
  double bounce = 0, least_bounce = 0;

  [[nodiscard]] double ofDepth(double depth) const { return std::min(rate * depth, most); }
  [[nodiscard]] double ofImpact(double approach) const {
    return approach > least_bounce ? bounce * approach : 0;
  }
};

[[nodiscard]] Parting partingOf(const dContactGeom& c, double dt, const dSurfaceParameters* surface) {
  Parting out;
  const dBodyID first = dGeomGetBody(c.g1), body = first != nullptr ? first : dGeomGetBody(c.g2);
  if (body == nullptr) return out;
  const dWorldID world = dBodyGetWorld(body);
  const auto has = [&](int mode) { return surface != nullptr && (surface->mode & mode) != 0; };
  out.rate = double(has(dContactSoftERP) ? surface->soft_erp : dWorldGetERP(world)) / dt;
  out.most = double(dWorldGetContactMaxCorrectingVel(world));
  if (has(dContactBounce)) {
    out.bounce = double(surface->bounce);
    out.least_bounce = double(surface->bounce_vel);
  }
  return out;
}

/// Did a step leave the bodies where they are, though it knew that they overlap? Nothing is known of those
/// that have not been stepped, and those that are to bounce meet only now.
[[nodiscard]] bool isLeftUndone(const dContactGeom& c, const Parting& parting) {
  const double wanted = parting.ofDepth(double(c.depth)), approach = approachSpeed(c);
  return approach != 0 && approach > -wanted && approach < kMeeting * wanted &&
         parting.ofImpact(approach) < wanted;
}

[[nodiscard]] bool isDeep(const dContactGeom& c, double radius) {
  return double(c.depth) >= kSinking * radius;
}

/// Of what rests, none is.
[[nodiscard]] bool isAnyDeep(const ContactArray& contacts, int count, double radius) {
  for (int i = 0; i < count; ++i)
    if (isDeep(contacts[i].geom, radius)) return true;
  return false;
}

/// How many times two contacts more are wanted.
[[nodiscard]] int roundsOf(const dContactGeom& c, double radius, const Parting& parting) {
  if (!isDeep(c, radius) || !isLeftUndone(c, parting)) return 0;
  return double(c.depth) >= 2 * kSinking * radius ? kMostRounds : kMostRounds - 1;
}

/// A unit vector across the contact's normal that turns with the bodies, and is the same for the pair in the
/// other order: away from the middle, unless the contact lies right before or behind that.
[[nodiscard]] Vec3 sideways(const dContactGeom& c, const PairExtent& pair) {
  const Vec3 normal = vec3(c.normal), away = vec3(c.pos) - pair.middle;
  const Vec3 across = away - normal * dot(away, normal);
  if (length(across) > 1e-6 * pair.radius) return normalised(across);
  const Vec3 axis = std::abs(normal.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  return normalised(cross(normal, axis));
}

/// Moves a contact. False if it is where it was: far from the origin, a little is lost in rounding.
bool shift(dContactGeom& c, const Vec3& by) {
  bool moved = false;
  for (int axis = 0; axis < 3; ++axis) {
    const dReal before = c.pos[axis];
    c.pos[axis] += dReal(by[axis]);
    moved = moved || c.pos[axis] != before;
  }
  return moved;
}

}  // namespace

int reinforce(const ContactArray& contacts, int count, int room, const PairExtent& pair, double dt,
              const dSurfaceParameters* surface) {
  if (count > kFewContacts || !isAnyDeep(contacts, count, pair.radius)) return count;
  const Parting parting = partingOf(contacts[0].geom, dt, surface);
  const int most = std::min(room, kMostContacts);
  int given = count;
  for (int round = 1; round <= kMostRounds; ++round)
    for (int i = 0; i < count && given + 2 <= most; ++i) {
      const dContactGeom& c = contacts[i].geom;
      if (roundsOf(c, pair.radius, parting) < round) continue;
      const Vec3 offset = sideways(c, pair) * (round * kSpacing * pair.radius);
      dContactGeom &left = contacts[given].geom, &right = contacts[given + 1].geom;
      left = right = c;
      const bool are_apart = shift(left, offset) && shift(right, -offset);
      if (are_apart) given += 2;
    }
  return given;
}

}  // namespace odemesh::ode
