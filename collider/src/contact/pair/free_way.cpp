#include "contact/pair/free_way.hpp"

#include <algorithm>

#include "contact/pair/way_bounds.hpp"
#include "contact/way_out/is_free.hpp"

namespace odemesh {

namespace {

constexpr int kHalvings = 6;

/// Lengths are looked at up to this one, in units of the smaller mesh's radius, each by so much longer than
/// the one before.
constexpr double kLongest = 4;
constexpr double kGrowth = 1.25;

/// Of ways that are as long as each other, the first is taken: a later one has to be shorter by this factor.
constexpr double kShorter = 0.999;

/// The axes of a mesh, both ways.
void addAxes(const Mat3& rotation, std::vector<Vec3>& directions) {
  const Mat3 axes = rotation.transposed();
  for (const Vec3& axis : axes.row) {
    directions.push_back(axis);
    directions.push_back(-axis);
  }
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
void beginBounds(const MeshPair& pair, const Vec3& direction, double limit, WayBounds& bounds) {
  bounds.blocked.clear();
  bounds.lines = 0;
  bounds.passes_from = passesFrom(pair, direction, limit);
}

}  // namespace

double halveToFree(const MeshPair& pair, const Vec3& direction, double too_short, double free) {
  return halve(too_short, free, [&](double length) { return isFree(pair, direction * length); });
}

std::optional<Vec3> shortestFreeWay(const MeshPair& pair, std::span<const Vec3> inside, double least,
                                    ContactScratch& scratch) {
  auto& directions = scratch.directions;
  addAxes(pair[0].pose().rotation, directions);
  addAxes(pair[1].pose().rotation, directions);
  const double longest = kLongest * pair.size();
  auto& bounds = scratch.way_bounds;
  bounds.resize(std::max(bounds.size(), directions.size()));
  for (std::size_t i = 0; i < directions.size(); ++i) beginBounds(pair, directions[i], longest, bounds[i]);
  const std::span<const Vec3> points = pair.areSolid() ? inside : std::span<const Vec3>();
  const auto isFreeAt = [&](std::size_t i, double length) {
    return !isBlocked(pair, points, directions[i], length, bounds[i], scratch) &&
           isFree(pair, directions[i] * length);
  };
  std::optional<Vec3> shortest;
  for (const bool may_pass : {false, true})
    for (double reach = least; !shortest && reach < longest; reach *= kGrowth)
      for (std::size_t i = 0; i < directions.size(); ++i) {
        const double free = shortest ? kShorter * length(*shortest) : reach;
        if ((free > bounds[i].passes_from) == may_pass && isFreeAt(i, free))
          shortest = directions[i] *
                     halve(reach / kGrowth, free, [&](double length) { return isFreeAt(i, length); });
      }
  return shortest;
}

}  // namespace odemesh
