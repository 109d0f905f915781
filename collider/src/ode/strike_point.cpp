#include "ode/strike_point.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "ode/body_motion.hpp"
#include "ode/coarse_step.hpp"
#include "ode/geom_motion.hpp"
#include "ode/impulse_row.hpp"
#include "ode/vec3.hpp"

namespace odemesh::ode {

namespace {

/// How far contacts of a small patch are apart at most, in units of the radius.
constexpr double kSmallPatch = 0.3;

/// What strikes has fallen from so high, in units of the radius, and for so many steps.
constexpr double kDrop = 0.02;
constexpr double kFallSteps = 3;

/// What strikes has not been as deep so many times a second before: it came there within the last step, or
/// some.
constexpr double kArrivals = 30;  // 1/s

/// Normals of one patch, a cosine: the same but for rounding to floats.
constexpr double kOnePatch = 1 - 1e-6;

/// As many as tell points of a small patch apart.
constexpr int kSweeps = 10;

/// A small patch is not made of more, and looking costs their square.
constexpr int kMostContacts = 16;

[[nodiscard]] BodySpeed speedOfBody(dGeomID geom) {
  const dBodyID body = dGeomGetBody(geom);
  if (body == nullptr) return {};
  return {vec3(dBodyGetLinearVel(body)), vec3(dBodyGetAngularVel(body))};
}

/// The least speed at which bodies strike.
[[nodiscard]] double leastStrike(double gravity, double radius, double dt) {
  return std::max(std::sqrt(2 * gravity * kDrop * radius), kFallSteps * gravity * dt);
}

/// The same of a pair with these contacts, which lie within a sphere of `radius`; none if it is plain that
/// nothing strikes.
[[nodiscard]] std::optional<double> leastStrikeOf(const GeomArray& contacts, int count, double radius,
                                                  double dt) {
  if (count < 2 || count > kMostContacts) return {};
  const std::optional<RelativeMotion> motion = relativeMotionOf(contacts[0].g1, contacts[0].g2);
  if (!motion) return {};
  const double least = leastStrike(motion->gravity, radius, dt);
  const double speed = length(motion->at(vec3(contacts[0].pos))) + length(motion->spin) * 2 * radius;
  return speed > least && std::isfinite(speed) ? std::optional(least) : std::nullopt;
}

/// Lists those of one small patch with contact `first`, from this on.
void listPatch(const GeomArray& contacts, int first, int count, double radius, std::vector<int>& out) {
  out.clear();
  const dContactGeom& c = contacts[first];
  for (int i = first; i < count; ++i)
    if (dot(vec3(contacts[i].normal), vec3(c.normal)) > kOnePatch &&
        length(vec3(contacts[i].pos) - vec3(c.pos)) <= kSmallPatch * radius)
      out.push_back(i);
}

/// A speed of approach, or of parting, at which a contact is new, or gone soon.
[[nodiscard]] bool isBrief(double speed, const dContactGeom& c, double least) {
  return speed > least && speed > kArrivals * double(c.depth);
}

[[nodiscard]] bool strikes(const dContactGeom& c, double least) {
  return isBrief(approachSpeed(c), c, least);
}

[[nodiscard]] bool parts(const dContactGeom& c, double least) {
  return isBrief(-approachSpeed(c), c, least);
}

/// The impulses that part the bodies of a pair, which are at first as fast as they are.
class PartingImpulses {
 public:
  PartingImpulses(const GeomArray& contacts, int count)
      : first_(speedOfBody(contacts[0].g1)), second_(speedOfBody(contacts[0].g2)) {
    const PairResponse pair{BodyResponse(contacts[0].g1), BodyResponse(contacts[0].g2)};
    rows_.clear();
    for (int i = 0; i < count; ++i) rows_.emplace_back(pair, contacts[i], vec3(contacts[i].normal));
    for (int sweep = 0; sweep < kSweeps; ++sweep) act();
  }

  [[nodiscard]] double at(int i) const { return rows_[std::size_t(i)].impulse; }

 private:
  /// Impulses that lie close to each other come to their sum at once, and from one to the other only if they
  /// are moved.
  void act() {
    for (auto row = rows_.begin(); row != rows_.end(); ++row) {
      if (row->parting > 0) row->act(0, 0, std::numeric_limits<double>::infinity(), first_, second_);
      for (auto other = rows_.begin(); other != row; ++other)
        if (dot(row->direction, other->direction) > kOnePatch) move(*row, *other);
    }
  }

  /// Moves as much from one row to another as makes both approach at the same speed.
  void move(ImpulseRow& from, ImpulseRow& to) {
    const double excess = to.approachOf(first_, second_) - from.approachOf(first_, second_);
    BodySpeed first{}, second{};
    to.give(1, first, second);
    from.give(-1, first, second);
    const double taken = from.approachOf(first, second) - to.approachOf(first, second);
    if (!(taken > 0)) return;
    const double moved = std::clamp(excess / taken, -to.impulse, from.impulse);
    to.add(moved, first_, second_);
    from.add(-moved, first_, second_);
  }

  static std::vector<ImpulseRow>& room() {
    static thread_local std::vector<ImpulseRow> rows;
    return rows;
  }

  BodySpeed first_, second_;
  std::vector<ImpulseRow>& rows_ = room();
};

/// The one in the place of a patch's.
[[nodiscard]] dContactGeom strikeOf(const GeomArray& contacts, const std::vector<int>& patch,
                                    const PartingImpulses& impulses) {
  dContactGeom out = contacts[patch.front()];
  double sum = 0;
  Vec3 moment;
  for (const int i : patch) {
    const double impulse = impulses.at(i);
    out.depth = std::max(out.depth, contacts[i].depth);
    sum += impulse;
    moment += vec3(contacts[i].pos) * impulse;
  }
  if (sum > 0)
    for (int axis = 0; axis < 3; ++axis) out.pos[axis] = dReal(moment[axis] / sum);
  return out;
}

/// Moves those that are kept to the front and returns how many they are.
int compact(const GeomArray& contacts, const std::vector<char>& is_kept) {
  int kept = 0;
  for (int i = 0; i < int(is_kept.size()); ++i)
    if (is_kept[std::size_t(i)] != 0) contacts[kept++] = contacts[i];
  return kept;
}

/// For the contacts of a pair.
[[nodiscard]] std::vector<char>& marks(int count) {
  static thread_local std::vector<char> is_kept;
  is_kept.assign(std::size_t(count), 1);
  return is_kept;
}

int dropParting(const GeomArray& contacts, int count, double least) {
  std::vector<char>& is_kept = marks(count);
  bool does_strike = false;
  for (int i = 0; i < count; ++i) {
    does_strike = does_strike || strikes(contacts[i], least);
    is_kept[std::size_t(i)] = char(!parts(contacts[i], least));
  }
  return does_strike ? compact(contacts, is_kept) : count;
}

int mergePatches(const GeomArray& contacts, int count, double radius, double least) {
  static thread_local std::vector<int> patch;
  std::vector<char>& is_kept = marks(count);
  std::optional<PartingImpulses> impulses;
  for (int first = 0; first < count; ++first) {
    if (is_kept[std::size_t(first)] == 0 || !strikes(contacts[first], least)) continue;
    listPatch(contacts, first, count, radius, patch);
    std::erase_if(patch, [&](int i) { return is_kept[std::size_t(i)] == 0; });
    if (patch.size() < 2 || !std::ranges::all_of(patch, [&](int i) { return strikes(contacts[i], least); }))
      continue;
    if (!impulses) impulses.emplace(contacts, count);
    contacts[first] = strikeOf(contacts, patch, *impulses);
    for (const int i : patch) is_kept[std::size_t(i)] = char(i == first);
  }
  return impulses ? compact(contacts, is_kept) : count;
}

}  // namespace

int strikeInPoints(const GeomArray& contacts, int count, double radius, double dt) {
  const std::optional<double> least = leastStrikeOf(contacts, count, radius, dt);
  return least ? mergePatches(contacts, count, radius, *least) : count;
}

int strikeInPoints(const GeomArray& contacts, int count, double radius) {
  const std::optional<double> least = leastStrikeOf(contacts, count, radius, kCoarseStep);
  if (!least) return count;
  return mergePatches(contacts, dropParting(contacts, count, *least), radius, *least);
}

}  // namespace odemesh::ode
