#include "contact/way_out/hollow.hpp"

#include <algorithm>

#include "constants.hpp"
#include "contact/way_out/direction.hpp"
#include "contact/way_out/is_free.hpp"
#include "contact/way_out/least_way.hpp"

namespace odemesh {

namespace {

/// A way out is much shorter if it is less than this share of another.
constexpr double kMuchShorter = 0.5;

/// Past an end, it is looked whether a body is free after so many times what overlaps is thick.
constexpr double kPastEnd = 1.25;

/// A hollow of more faces is not looked at.
constexpr std::size_t kMostHollowFaces = 256;

/// How far the deepest of `points` is behind face `f`.
[[nodiscard]] Wall wallOf(const MeshPair& pair, const RegionFace& f, const std::vector<Vec3>& points) {
  const double level = dot(f.normal, f.triangle.v[0]) + pair.tolerances().inflation;
  double depth = -kEndless;
  for (const Vec3& p : points) depth = std::max(depth, level - dot(f.normal, p));
  return {f.normal, depth};
}

/// Does no point of the region lie behind a face of this side, and some in front of one?
[[nodiscard]] bool isHollow(const MeshPair& pair, int side, const ContactScratch& scratch) {
  if (scratch.faces[side].size() > kMostHollowFaces) return false;
  const double slack = pair.tolerances().slack;
  bool bends = false;
  for (const RegionFace& f : scratch.faces[side]) {
    const double level = dot(f.normal, f.triangle.v[0]);
    for (const Vec3& p : scratch.points[side]) {
      const double height = dot(f.normal, p) - level;
      if (height < -slack) return false;
      bends = bends || height > slack;
    }
  }
  return bends;
}

/// Out of the hollow of mesh `side`, along the normals of its faces.
[[nodiscard]] std::optional<Vec3> wayOutOfHollow(const MeshPair& pair, int side,
                                                 const ContactScratch& scratch) {
  const double slack = pair.tolerances().touching;
  const auto& points = scratch.inside_points[1 - side];
  return leastWayOff(slack, [&](const Vec3& way) {
    std::optional<Wall> worst;
    double most = slack;
    for (const RegionFace& f : scratch.faces[side]) {
      const Wall wall = wallOf(pair, f, points);
      if (const double lack = wall.depth - dot(wall.normal, way); lack > most) {
        most = lack;
        worst = wall;
      }
    }
    return worst;
  });
}

/// Do the faces of `side` all look along `direction`, as those of one patch do?
[[nodiscard]] bool isGentle(const Vec3& direction, int side, const ContactScratch& scratch) {
  return std::ranges::all_of(scratch.faces[side],
                             [&](const RegionFace& f) { return dot(f.normal, direction) > kClusterCosine; });
}

/// Does what lies in the hollow of `side` leave over its end, by a face of its own, on a much shorter way?
[[nodiscard]] bool passesEnd(const MeshPair& pair, int side, double depth, const ContactScratch& scratch) {
  return std::ranges::any_of(scratch.faces[1 - side], [&](const RegionFace& f) {
    const Vec3 way = side == 0 ? f.normal : -f.normal;
    const double thickness = mostApart(way, scratch.points);
    return thickness < kMuchShorter * depth && isFree(pair, way * (kPastEnd * thickness));
  });
}

}  // namespace

std::optional<Separation> leaveHollow(const MeshPair& pair, const ContactScratch& scratch) {
  if (pair.areConvex() || scratch.is_sampled) return std::nullopt;
  for (int side = 0; side < 2; ++side) {
    if (pair[side].mesh().isConvex()) continue;
    if (scratch.inside_points[1 - side].empty() || !isHollow(pair, side, scratch)) continue;
    const auto way = wayOutOfHollow(pair, side, scratch);
    if (!way || lengthSq(*way) == 0) continue;
    const double depth = length(*way);
    const Vec3 direction = *way / depth;
    if (!isGentle(direction, side, scratch) || passesEnd(pair, side, depth, scratch)) continue;
    return Separation{side == 1 ? direction : -direction, depth, depth, false, false};
  }
  return std::nullopt;
}

}  // namespace odemesh
