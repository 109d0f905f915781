// The corners of a patch: of the convex hull of its points, those that say something.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "contact/shadow.hpp"

namespace odemesh {

/// A candidate as it is seen along the direction of its patch.
struct Projected : ShadowPoint {
  std::uint32_t candidate;
};

/// Spans, whose size is at hand, where vectors would divide by that of a point whenever they are asked.
using Points = std::span<Projected>;

/// The next corner of a hull, around which the last is followed by the first.
template <typename Corner>
[[nodiscard]] std::size_t nextOf(std::span<Corner> hull, std::size_t i) {
  return i + 1 == hull.size() ? 0 : i + 1;
}

/// Room for so many, which only grows.
[[nodiscard]] inline Points roomFor(std::size_t count, std::vector<Projected>& room) {
  if (room.size() < count) room.resize(count);
  return Points(room).first(count);
}

/// What a hull is worked out in.
struct HullRoom {
  std::vector<Projected> points;
  std::vector<Projected> blunt;
  std::vector<double> costs;
};

/// The corners of a hull, counter-clockwise, with room for one more behind them, and the distance within
/// which a corner stands for other points.
struct Corners {
  Points hull;
  double least;
};

/// Leaves out points inside the polygon of those that lie farthest in eight directions: they are no corners
/// of the hull (Akl and Toussaint 1978), nor closer than `same` to one. Keeps the order of the others.
[[nodiscard]] Points dropInnerPoints(double same, Points points);

/// Of points sorted by place, each of which is there once. Drops corners that say nothing new, then those
/// that cost the least area until no more than `kPatchCorners` are left. Points closer than `same` are one.
[[nodiscard]] Corners cornersOf(Points sorted, double same, HullRoom& room);

/// The corners of a hull that are farther than this share of its size from the line between their neighbours.
[[nodiscard]] Points bluntCorners(Points hull, double share, HullRoom& room);

/// The corners of four points, in any order, that are corners beyond doubt, as those of a box mostly are,
/// without the machinery for more: puts them into the order of their hull, where they are. Nothing for
/// others.
[[nodiscard]] std::optional<Corners> cornersOfFour(Points points, double same);

}  // namespace odemesh
