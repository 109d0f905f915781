#include "contact/pair/free_way.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "contact/pair/way_bounds.hpp"
#include "contact/way_out/is_free.hpp"
#include "vector_norms.hpp"

namespace odemesh {

namespace {

constexpr int kHalvings = 6;

/// Lengths are looked at each by so much longer than the one before.
constexpr double kGrowth = 1.25;

/// Axes are one if the cosine of their angle is more than this.
constexpr double kOneAxis = 1 - 1e-9;

/// Of ways that are as long as each other, the first is taken: a later one has to be shorter by this factor.
constexpr double kShorter = 0.999;

/// Around a way, so many are looked at, turned away from it by an angle of this tangent. Where none is
/// shorter by a factor, as one along the normal of a face is not, the angle becomes less.
constexpr int kTurns = 6;
constexpr double kFirstTurn = 0.5, kNextTurn = 0.4, kLastTurn = 0.05;
constexpr double kMuchShorter = 0.8;

/// The line of centres is along a way if less than this share of it, squared, is across.
constexpr double kAcross = 1e-6;

void addBothWays(const Vec3& axis, std::vector<Vec3>& directions) {
  directions.push_back(axis);
  directions.push_back(-axis);
}

/// The axes of a mesh, and that along which it is thin, both ways.
void addAxes(const PlacedMesh& placed, std::vector<Vec3>& directions) {
  const Mat3 axes = placed.pose().rotation.transposed();
  for (const Vec3& axis : axes.row) addBothWays(axis, directions);
  const Vec3 thin = placed.mesh().thinAxis();
  const bool is_own = greatestComponent(thin) > kOneAxis;
  if (thin != Vec3{} && !is_own) addBothWays(placed.pose().rotate(thin), directions);
}

/// Halves the difference of two lengths, the longer one of which is free.
template <typename IsFreeAt>
[[nodiscard]] double halve(double too_short, double free, IsFreeAt&& is_free_at) {
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (too_short + free);
    (is_free_at(middle) ? free : too_short) = middle;
  }
  return free;
}

/// The ways along `scratch.directions`, to which more may be added.
class Ways {
 public:
  Ways(const MeshPair& pair, std::span<const Vec3> inside, const WaysTried& tried, ContactScratch& scratch)
      : pair_(pair), inside_(inside), tried_(tried), scratch_(scratch) {
    auto axes = axes_.begin();
    for (const int side : {0, 1})
      axes = std::ranges::copy(pair[side].pose().rotation.transposed().row, axes).out;
    findMiddles(pair, scratch);
    for (std::size_t i = 0; i < scratch.directions.size(); ++i) beginBounds(i);
  }

  /// Of those that pass through a body, or of those that do not.
  [[nodiscard]] std::optional<Vec3> shortest(bool pass) {
    std::optional<Vec3> shortest;
    for (double reach = tried_.least; !shortest && reach < tried_.longest; reach *= kGrowth)
      for (std::size_t i = 0; i < scratch_.directions.size(); ++i) {
        const double free = shortest ? kShorter * length(*shortest) : reach;
        if (isWayOf(pass, i, free)) shortest = halved(i, reach / kGrowth, free);
      }
    return shortest;
  }

  /// The same way, or one much shorter to which it turns step by step: a pattern search on the sphere (Hooke
  /// and Jeeves 1961).
  [[nodiscard]] Vec3 turned(Vec3 way, bool may_pass) {
    for (double turn = kFirstTurn; turn > kLastTurn;)
      if (const auto shorter = shorterAround(way, turn, may_pass))
        way = *shorter;
      else
        turn *= kNextTurn;
    return way;
  }

 private:
  void beginBounds(std::size_t i) {
    auto& all = scratch_.way_bounds;
    all.resize(std::max(all.size(), i + 1));
    all[i].blocked.clear();
    all[i].lines = 0;
    all[i].passes_from.reset();
  }

  /// Is a way free, and does it pass, or not? That takes more time, but for what is known already.
  [[nodiscard]] bool isWayOf(bool pass, std::size_t i, double length) {
    if (scratch_.way_bounds[i].passes_from && passes(i, length) != pass) return false;
    return isFreeAt(i, length) && passes(i, length) == pass;
  }

  [[nodiscard]] bool passes(std::size_t i, double length) {
    auto& from = scratch_.way_bounds[i].passes_from;
    if (!from) from = passesFrom(pair_, scratch_.directions[i], tried_.longest, scratch_);
    return length > *from;
  }

  /// Nothing blocks a way that is not finite, as one along a direction that has overflowed.
  [[nodiscard]] bool isFreeAt(std::size_t i, double length) {
    const Vec3& direction = scratch_.directions[i];
    const Vec3 way = direction * length;
    return isFinite(way) && !isBlocked(pair_, inside_, direction, length, scratch_.way_bounds[i], scratch_) &&
           isFree(pair_, way);
  }

  [[nodiscard]] Vec3 halved(std::size_t i, double too_short, double free) {
    return scratch_.directions[i] *
           halve(too_short, free, [&](double length) { return isFreeAt(i, length); });
  }

  /// The shortest of those turned away by an angle, if it is much shorter.
  [[nodiscard]] std::optional<Vec3> shorterAround(const Vec3& way, double turn, bool may_pass) {
    const double was = length(way), wanted = kMuchShorter * was;
    if (wanted <= tried_.least) return std::nullopt;
    const Vec3 along = way / was;
    const auto [u, v] = around(along);
    const std::size_t i = scratch_.directions.size();
    scratch_.directions.emplace_back();
    std::optional<Vec3> shortest;
    for (int k = 0; k < kTurns; ++k) {
      const double angle = 2 * std::numbers::pi * k / kTurns;
      scratch_.directions[i] = normalised(along + (u * std::cos(angle) + v * std::sin(angle)) * turn);
      beginBounds(i);
      if (!isFreeAt(i, wanted) || (!may_pass && passes(i, wanted))) continue;
      const Vec3 other = halved(i, tried_.least, wanted);
      if (!shortest || length(other) < kShorter * length(*shortest)) shortest = other;
    }
    return shortest;
  }

  /// Axes across a way, which are the same, but for their signs, whichever mesh comes first: from the line of
  /// the centres, or, where the way leads along that, from the axis that is most across.
  [[nodiscard]] std::array<Vec3, 2> around(const Vec3& along) const {
    const auto across = [&](const Vec3& v) { return v - along * dot(v, along); };
    const Vec3 between = pair_[0].centre() - pair_[1].centre();
    Vec3 u = across(between);
    if (lengthSq(u) <= kAcross * lengthSq(between))
      u = across(
          *std::ranges::min_element(axes_, {}, [&](const Vec3& a) { return std::abs(dot(a, along)); }));
    return {normalised(u), cross(along, normalised(u))};
  }

  const MeshPair& pair_;
  std::span<const Vec3> inside_;
  WaysTried tried_;
  ContactScratch& scratch_;
  std::array<Vec3, 6> axes_;  ///< of both meshes
};

}  // namespace

double halveToFree(const MeshPair& pair, const Vec3& direction, double too_short, double free) {
  return halve(too_short, free, [&](double length) { return isFree(pair, direction * length); });
}

std::optional<Vec3> shortestFreeWay(const MeshPair& pair, std::span<const Vec3> inside,
                                    const WaysTried& tried, ContactScratch& scratch) {
  auto& directions = scratch.directions;
  addAxes(pair[0], directions);
  addAxes(pair[1], directions);
  Ways ways(pair, pair.areSolid() ? inside : std::span<const Vec3>(), tried, scratch);
  for (const bool pass : {false, true})
    if (!pass || tried.may_pass)
      if (const auto way = ways.shortest(pass)) return ways.turned(*way, pass);
  return std::nullopt;
}

}  // namespace odemesh
