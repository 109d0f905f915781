#include "reduction/patch_hull.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "constants.hpp"

namespace odemesh {

namespace {

/// Lower and upper chains (Andrew 1979); collinear points are left out. Returns the part of `room` that the
/// corners take, which has to be twice as large as there are points, and one more.
[[nodiscard]] Points convexHull(Points points, Points room) {
  Projected* const hull = room.data();
  std::size_t count = 0;
  const auto addChain = [&](auto begin, auto end) {
    const std::size_t base = count;
    for (auto it = begin; it != end; ++it) {
      while (count >= base + 2 && turn(hull[count - 2], hull[count - 1], *it) <= 0) --count;
      hull[count++] = *it;
    }
    if (count > base + 1) --count;
  };
  addChain(points.begin(), points.end());
  addChain(points.rbegin(), points.rend());
  return room.first(count);
}

[[nodiscard]] const Projected& before(Points hull, std::size_t i) {
  return hull[i == 0 ? hull.size() - 1 : i - 1];
}

[[nodiscard]] const Projected& after(Points hull, std::size_t i) {
  return hull[i + 1 == hull.size() ? 0 : i + 1];
}

/// Area that the hull loses with corner `i`.
[[nodiscard]] double areaLoss(Points hull, std::size_t i) {
  return turn(before(hull, i), hull[i], after(hull, i));
}

/// Is corner `i`, with which the hull loses `area`, farther from the line through its neighbours than `least`
/// by much?
[[nodiscard]] bool isSharp(Points hull, std::size_t i, double area, double least) {
  const Projected &a = before(hull, i), &b = after(hull, i);
  const double du = b.u - a.u, dv = b.v - a.v;
  return area * area > 4 * least * least * (du * du + dv * dv);
}

/// Distance of corner `i` from the segment between its neighbours; any number above `least` where it is much
/// more than that.
[[nodiscard]] double sharpness(Points hull, std::size_t i, double least) {
  if (isSharp(hull, i, areaLoss(hull, i), least)) return std::numeric_limits<double>::infinity();
  const Projected& p = hull[i];
  const Projected& a = before(hull, i);
  const Projected& b = after(hull, i);
  const double du = b.u - a.u;
  const double dv = b.v - a.v;
  const double along = std::clamp(shareAlong(a, b, p), 0.0, 1.0);
  return std::hypot(p.u - a.u - along * du, p.v - a.v - along * dv);
}

/// Drops the corner that costs least, again and again while `goes_on(its cost)`. Dropping one changes what
/// its neighbours cost, and no others.
template <typename Cost, typename GoesOn>
void dropCorners(Points& hull, std::vector<double>& costs, Cost&& cost, GoesOn&& goes_on) {
  costs.resize(hull.size());
  for (std::size_t i = 0; i < hull.size(); ++i) costs[i] = cost(i);
  while (!hull.empty()) {
    const auto cheapest = std::min_element(costs.begin(), costs.end());
    if (!goes_on(*cheapest)) return;
    const auto at = cheapest - costs.begin();
    std::copy(hull.begin() + at + 1, hull.end(), hull.begin() + at);
    hull = hull.first(hull.size() - 1);
    costs.erase(cheapest);
    if (hull.empty()) return;
    const std::size_t next = static_cast<std::size_t>(at) % hull.size();
    const std::size_t last = (static_cast<std::size_t>(at) + hull.size() - 1) % hull.size();
    costs[next] = cost(next);
    costs[last] = cost(last);
  }
}

/// Drops corners that lie within `least` of the line between their neighbours.
void dropFlatCorners(double least, Points& hull, std::vector<double>& costs) {
  const auto isFlat = [&](std::size_t i) { return sharpness(hull, i, least) <= least; };
  bool any = false;
  for (std::size_t i = 0; i < hull.size() && !any; ++i) any = isFlat(i);
  if (!any) return;
  dropCorners(
      hull, costs, [&](std::size_t i) { return sharpness(hull, i, least); },
      [&](double distance) { return hull.size() > 2 && distance <= least; });
}

/// The most by which one is off the first along an axis.
[[nodiscard]] double sizeOf(Points hull) {
  double size = 0;
  for (const Projected& p : hull)
    size = std::max({size, std::abs(p.u - hull[0].u), std::abs(p.v - hull[0].v)});
  return size;
}

/// Drops corners that say nothing new, then those that cost the least area until few enough are left. Points
/// closer than `same` are one. Returns the distance within which a corner stands for other points.
double cutHull(std::size_t most, double same, Points& hull, std::vector<double>& costs) {
  const double size = sizeOf(hull);
  const double least = std::max(kSameCorner * size, same);
  dropFlatCorners(least, hull, costs);
  if (hull.size() == 2 && size <= same) hull = hull.first(1);
  if (hull.size() > most)
    dropCorners(
        hull, costs, [&](std::size_t i) { return areaLoss(hull, i); },
        [&](double) { return hull.size() > most; });
  return least;
}

[[nodiscard]] bool isPlacedBefore(const ShadowPoint& a, const ShadowPoint& b) {
  return a.u != b.u ? a.u < b.u : a.v < b.v;
}

/// Four points sorted by place and put into the order of a hull around them, if they have one.
void putAround(Points q) {
  for (const auto& [i, k] :
       {std::pair(0, 1), std::pair(2, 3), std::pair(0, 2), std::pair(1, 3), std::pair(1, 2)})
    if (isPlacedBefore(q[std::size_t(k)], q[std::size_t(i)])) std::swap(q[std::size_t(i)], q[std::size_t(k)]);
  // The first and the last part the two between them, or have both on one side.
  const bool is_above1 = turn(q[0], q[3], q[1]) > 0, is_above2 = turn(q[0], q[3], q[2]) > 0;
  if (is_above1) std::swap(q[1], q[3]);
  if (is_above1 != is_above2) std::swap(q[2], q[is_above1 ? 1 : 3]);
}

/// Of so many points, those well inside are left out before they are sorted.
constexpr std::size_t kManyPoints = 32;

/// Those that lie farthest in eight directions, counter-clockwise; of equals the first.
[[nodiscard]] std::array<ShadowPoint, 8> farthestOf(Points points) {
  std::array<double, 8> most;
  most.fill(-std::numeric_limits<double>::infinity());
  std::array<std::size_t, 8> at{};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto [u, v] = ShadowPoint(points[i]);
    const double along[8] = {u, u + v, v, v - u, -u, -u - v, -v, u - v};
    for (std::size_t k = 0; k < 8; ++k)
      if (along[k] > most[k]) {
        most[k] = along[k];
        at[k] = i;
      }
  }
  std::array<ShadowPoint, 8> out;
  for (std::size_t k = 0; k < 8; ++k) out[k] = points[at[k]];
  return out;
}

}  // namespace

Points dropInnerPoints(double same, Points points) {
  if (points.size() < kManyPoints) return points;
  const std::array<ShadowPoint, 8> farthest = farthestOf(points);
  const auto areSame = [](const ShadowPoint& p, const ShadowPoint& q) { return p.u == q.u && p.v == q.v; };
  struct Side {
    ShadowPoint from, to;
    double least;  ///< of the area that a point inside spans with it
  };
  std::array<Side, 8> sides;
  std::size_t count = 0;
  for (std::size_t k = 0; k < 8; ++k) {
    const ShadowPoint &from = farthest[k], &to = farthest[(k + 1) % 8];
    if (!areSame(from, to))
      sides[count++] = {from, to, same * (std::abs(to.u - from.u) + std::abs(to.v - from.v))};
  }
  if (count == 0) return points;  // no polygon to be inside of
  const auto end = std::remove_if(points.begin(), points.end(), [&](const ShadowPoint& p) {
    return std::all_of(sides.begin(), sides.begin() + static_cast<std::ptrdiff_t>(count),
                       [&](const Side& side) { return turn(side.from, side.to, p) > side.least; });
  });
  return points.first(std::size_t(end - points.begin()));
}

Corners cornersOf(Points sorted, double same, HullRoom& room) {
  Points hull = convexHull(sorted, roomFor(2 * sorted.size() + 1, room.points));
  const double least = cutHull(kPatchCorners, same, hull, room.costs);
  return {hull, least};
}

Points bluntCorners(Points hull, double share, HullRoom& room) {
  const Points copy = roomFor(hull.size(), room.blunt);
  std::ranges::copy(hull, copy.begin());
  Points blunt = copy;
  dropFlatCorners(share * sizeOf(blunt), blunt, room.costs);
  return blunt;
}

std::optional<Corners> cornersOfFour(Points points, double same) {
  putAround(points);
  const double least = std::max(kSameCorner * sizeOf(points), same);
  for (std::size_t i = 0; i < 4; ++i)
    if (const double area = areaLoss(points, i); area <= 0 || !isSharp(points, i, area, least))
      return std::nullopt;
  return Corners{points, least};
}

}  // namespace odemesh
