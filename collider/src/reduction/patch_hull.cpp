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
  return hull[nextOf(hull, i)];
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

/// Dropping one corner changes what its neighbours cost, and no others.
template <typename Cost>
void dropCorner(std::size_t at, Points& hull, std::vector<double>& costs, Cost&& cost) {
  const auto place = std::ptrdiff_t(at);
  std::copy(hull.begin() + place + 1, hull.end(), hull.begin() + place);
  hull = hull.first(hull.size() - 1);
  costs.erase(costs.begin() + place);
  if (hull.empty()) return;
  const std::size_t next = at % hull.size(), last = (at + hull.size() - 1) % hull.size();
  costs[next] = cost(next);
  costs[last] = cost(last);
}

template <typename Cost>
void costAll(Points hull, std::vector<double>& costs, Cost&& cost) {
  costs.resize(hull.size());
  for (std::size_t i = 0; i < hull.size(); ++i) costs[i] = cost(i);
}

/// Drops corners that lie within `least` of the line between their neighbours.
void dropFlatCorners(double least, Points& hull, std::vector<double>& costs) {
  const auto isFlat = [&](std::size_t i) { return sharpness(hull, i, least) <= least; };
  bool any = false;
  for (std::size_t i = 0; i < hull.size() && !any; ++i) any = isFlat(i);
  if (!any) return;
  const auto distance = [&](std::size_t i) { return sharpness(hull, i, least); };
  costAll(hull, costs, distance);
  while (hull.size() > 2) {
    const auto cheapest = std::ranges::min_element(costs);
    if (*cheapest > least) return;
    dropCorner(std::size_t(cheapest - costs.begin()), hull, costs, distance);
  }
}

/// Corners cost the same if they differ by no more than this share: what rounding, or a body that sways at
/// rest, makes of those that do.
constexpr double kAsCheap = 1e-5;

/// The same for the corners of a disc, which differ by no more from each other.
constexpr double kAsCheapOfDisc = 0.01;

/// Lets a hull begin with the corner that lies farthest along a direction in which hardly two of anything
/// regular lie equally far.
void beginOutermost(Points hull) {
  static constexpr ShadowPoint kIrregular{0.5403, 0.8415};
  const auto along = [&](const Projected& p) { return kIrregular.u * p.u + kIrregular.v * p.v; };
  std::rotate(hull.begin(), std::ranges::max_element(hull, {}, along), hull.end());
}

/// What costs as much as the cheapest but for a share.
[[nodiscard]] double cheapestOf(std::span<const double> costs, double share) {
  const double least = *std::ranges::min_element(costs);
  return least + share * std::abs(least);
}

/// Do all corners cost the same, as those of a disc do?
[[nodiscard]] bool costTheSame(std::span<const double> costs) {
  return *std::ranges::max_element(costs) <= cheapestOf(costs, kAsCheapOfDisc);
}

/// Leaves out up to `most` corners, at even distances around the hull and no two of them side by side.
void dropEvenly(std::size_t most, Points& hull) {
  const std::size_t size = hull.size(), drops = std::clamp(size / 2, std::size_t(1), most);
  std::size_t kept = 0, dropped = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (dropped < drops && i >= dropped * size / drops)
      ++dropped;
    else
      hull[kept++] = hull[i];
  }
  hull = hull.first(kept);
}

/// Drops the corners that cost the least area until `most` are left, of those that cost the same the first,
/// so that they are the same ones at each step; those of a disc evenly all around.
void thinOut(std::size_t most, Points& hull, std::vector<double>& costs) {
  const auto loss = [&](std::size_t i) { return areaLoss(hull, i); };
  beginOutermost(hull);
  costAll(hull, costs, loss);
  const bool is_disc = costTheSame(costs);
  const double share = is_disc ? kAsCheapOfDisc : kAsCheap;
  while (hull.size() > most) {
    if (is_disc && costTheSame(costs)) {
      dropEvenly(hull.size() - most, hull);
      costAll(hull, costs, loss);
      continue;
    }
    const double cheapest = cheapestOf(costs, share);
    const auto first = std::ranges::find_if(costs, [&](double cost) { return cost <= cheapest; });
    dropCorner(std::size_t(first - costs.begin()), hull, costs, loss);
  }
}

/// The most by which one is off the first along an axis.
[[nodiscard]] double sizeOf(Points hull) {
  double size = 0;
  for (const Projected& p : hull)
    size = std::max({size, std::abs(p.u - hull[0].u), std::abs(p.v - hull[0].v)});
  return size;
}

/// Corners of a patch that are closer together than this, in units of the patch's size, count as one.
constexpr double kSameCorner = 1e-5;

/// Drops corners that say nothing new, then those that cost the least area until few enough are left. Points
/// closer than `same` are one.
[[nodiscard]] Corners cutHull(std::size_t most, double same, Points hull, std::vector<double>& costs) {
  const double size = sizeOf(hull), least = std::max(kSameCorner * size, same);
  dropFlatCorners(least, hull, costs);
  if (hull.size() == 2 && size <= same) hull = hull.first(1);
  if (hull.size() > most) thinOut(most, hull, costs);
  return {hull, least};
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
  const Points hull = convexHull(sorted, roomFor(2 * sorted.size() + 1, room.points));
  return cutHull(kPatchCorners, same, hull, room.costs);
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
