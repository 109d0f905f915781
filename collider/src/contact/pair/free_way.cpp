#include "contact/pair/free_way.hpp"

#include <algorithm>

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

/// Of the ways along a direction, before any line was looked at.
void beginBounds(const MeshPair& pair, const Vec3& direction, double limit, ContactScratch& scratch,
                 WayBounds& bounds) {
  bounds.blocked.clear();
  bounds.lines = 0;
  bounds.passes_from = passesFrom(pair, direction, limit, scratch);
}

}  // namespace

double halveToFree(const MeshPair& pair, const Vec3& direction, double too_short, double free) {
  return halve(too_short, free, [&](double length) { return isFree(pair, direction * length); });
}

std::optional<Vec3> shortestFreeWay(const MeshPair& pair, std::span<const Vec3> inside,
                                    const WaysTried& tried, ContactScratch& scratch) {
  auto& directions = scratch.directions;
  addAxes(pair[0], directions);
  addAxes(pair[1], directions);
  auto& bounds = scratch.way_bounds;
  bounds.resize(std::max(bounds.size(), directions.size()));
  for (std::size_t i = 0; i < directions.size(); ++i)
    beginBounds(pair, directions[i], tried.longest, scratch, bounds[i]);
  const std::span<const Vec3> points = pair.areSolid() ? inside : std::span<const Vec3>();
  const auto isFreeAt = [&](std::size_t i, double length) {
    return !isBlocked(pair, points, directions[i], length, bounds[i], scratch) &&
           isFree(pair, directions[i] * length);
  };
  std::optional<Vec3> shortest;
  for (int pass = 0; pass <= int(tried.may_pass); ++pass)
    for (double reach = tried.least; !shortest && reach < tried.longest; reach *= kGrowth)
      for (std::size_t i = 0; i < directions.size(); ++i) {
        const double free = shortest ? kShorter * length(*shortest) : reach;
        if ((free > bounds[i].passes_from) == (pass == 1) && isFreeAt(i, free))
          shortest = directions[i] *
                     halve(reach / kGrowth, free, [&](double length) { return isFreeAt(i, length); });
      }
  return shortest;
}

}  // namespace odemesh
