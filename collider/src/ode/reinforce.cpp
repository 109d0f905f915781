#include "ode/reinforce.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "ode/coarse_step.hpp"
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

/// Are there few, and one of them is deep? Of what rests, none is.
[[nodiscard]] bool maySinkIn(const GeomArray& contacts, int count, double radius) {
  if (count > kFewContacts) return false;
  for (int i = 0; i < count; ++i)
    if (isDeep(contacts[i], radius)) return true;
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

/// Which contacts stand in the place of which.
class Rows {
 public:
  explicit Rows(int count) : total_(count) {
    for (int i = 0; i < count; ++i) add(i, i);
  }

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

/// Adds two contacts beside the first, second ... of `count`, as often as `rounds(i)` says: one more for each
/// in turn. Calls `on_added(i)` for each two. Returns how many contacts there are then.
template <typename Rounds, typename OnAdded>
int addBeside(const GeomArray& contacts, int count, int room, const PairExtent& pair, const Rounds& rounds,
              const OnAdded& on_added) {
  const int most = std::min(room, kMostContacts);
  int total = count;
  for (int round = 1; round <= kMostRounds; ++round)
    for (int i = 0; i < count && total + 2 <= most; ++i) {
      if (rounds(i) < round) continue;
      const dContactGeom& c = contacts[i];
      const Vec3 offset = sideways(c, pair) * (round * kSpacing * pair.radius);
      dContactGeom &left = contacts[total], &right = contacts[total + 1];
      left = right = c;
      const bool are_apart = shift(left, offset) && shift(right, -offset);
      if (!are_apart) continue;
      total += 2;
      on_added(i);
    }
  return total;
}

}  // namespace

int reinforce(const ContactArray& contacts, int count, int room, const PairExtent& pair, double dt) {
  const GeomArray geoms = contacts.geoms();
  if (!maySinkIn(geoms, count, pair.radius)) return count;
  const dWorldID world = worldOf(geoms[0].g1, geoms[0].g2);
  if (world == nullptr) return count;
  const Parting parting = partingOf(world, dt, contacts[0].surface);
  // What stands on soft ground is as deep as it is to be.
  const auto rounds = [&](int i) {
    return givesWay(contacts[i], dt) ? 0 : roundsOf(geoms[i], pair.radius, parting);
  };
  Rows rows(count);
  const int total = addBeside(geoms, count, room, pair, rounds, [&](int i) { rows.addTwoOf(i); });
  rows.shareOut(contacts, dt);
  return total;
}

int reinforceFree(const GeomArray& contacts, int count, int room, const PairExtent& pair) {
  if (!maySinkIn(contacts, count, pair.radius) || isFixed(contacts[0].g1) || isFixed(contacts[0].g2))
    return count;
  const Parting parting = partingOf(worldOf(contacts[0].g1, contacts[0].g2), kCoarseStep, {});
  const auto rounds = [&](int i) { return roundsOf(contacts[i], pair.radius, parting); };
  return addBeside(contacts, count, room, pair, rounds, [](int) {});
}

}  // namespace odemesh::ode
