#include "ode/reinforce.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "ode/geom_motion.hpp"
#include "ode/surface_share.hpp"

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
  double rate = 0;   ///< 1/s, of the depth
  double layer = 0;  ///< a depth that is left as it is
  double most = 0;   ///< a speed, for what overlaps
  double bounce = 0, least_bounce = 0;

  [[nodiscard]] double ofDepth(double depth) const {
    return std::min(rate * std::max(depth - layer, 0.0), most);
  }
  [[nodiscard]] double ofImpact(double approach) const {
    return approach > least_bounce ? bounce * approach : 0;
  }
};

[[nodiscard]] Parting partingOf(dWorldID world, double dt, const dSurfaceParameters& surface) {
  Parting out;
  const auto has = [&](int mode) { return (surface.mode & mode) != 0; };
  out.rate = double(has(dContactSoftERP) ? surface.soft_erp : dWorldGetERP(world)) / dt;
  out.layer = double(dWorldGetContactSurfaceLayer(world));
  out.most = double(dWorldGetContactMaxCorrectingVel(world));
  if (has(dContactBounce)) {
    out.bounce = double(surface.bounce);
    out.least_bounce = double(surface.bounce_vel);
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

/// How many times two contacts more are wanted. What stands on soft ground is as deep as it is to be.
[[nodiscard]] int roundsOf(const dContact& c, double radius, const Parting& parting, double dt) {
  if (!isDeep(c.geom, radius) || !isLeftUndone(c.geom, parting) || givesWay(c, dt)) return 0;
  return double(c.geom.depth) >= 2 * kSinking * radius ? kMostRounds : kMostRounds - 1;
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

/// Which contacts stand in the place of which.
class Rows {
 public:
  explicit Rows(int count) : total_(count) {
    for (int i = 0; i < count; ++i) add(i, i);
  }

  [[nodiscard]] int total() const { return total_; }
  void addTwoOf(int i) {
    add(total_++, i);
    add(total_++, i);
  }
  /// Their surfaces: together they act as the one did.
  void shareOut(const ContactArray& contacts, double dt) const {
    for (int i = total_ - 1; i >= 0; --i) {  // those that were there are the last
      const std::size_t of = stands_for_[std::size_t(i)];
      if (rows_[of] > 1) contacts[i].surface = shareOf(contacts[int(of)], rows_[of], dt);
    }
  }

 private:
  void add(int i, int of) {
    stands_for_[std::size_t(i)] = std::size_t(of);
    ++rows_[std::size_t(of)];
  }

  int total_;
  std::array<std::size_t, kMostContacts> stands_for_{};
  std::array<int, kFewContacts> rows_{};
};

}  // namespace

int reinforce(const ContactArray& contacts, int count, int room, const PairExtent& pair, double dt) {
  if (count == 0 || count > kFewContacts || !isAnyDeep(contacts, count, pair.radius)) return count;
  const dWorldID world = worldOf(contacts[0].geom);
  if (world == nullptr) return count;
  const Parting parting = partingOf(world, dt, contacts[0].surface);
  const int most = std::min(room, kMostContacts);
  Rows rows(count);
  for (int round = 1; round <= kMostRounds; ++round)
    for (int i = 0; i < count && rows.total() + 2 <= most; ++i) {
      const dContactGeom& c = contacts[i].geom;
      if (roundsOf(contacts[i], pair.radius, parting, dt) < round) continue;
      const Vec3 offset = sideways(c, pair) * (round * kSpacing * pair.radius);
      dContactGeom &left = contacts[rows.total()].geom, &right = contacts[rows.total() + 1].geom;
      left = right = c;
      const bool are_apart = shift(left, offset) && shift(right, -offset);
      if (are_apart) rows.addTwoOf(i);
    }
  rows.shareOut(contacts, dt);
  return rows.total();
}

}  // namespace odemesh::ode
