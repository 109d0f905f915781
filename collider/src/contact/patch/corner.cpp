#include "contact/patch/corner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "constants.hpp"
#include "contact/patch/clusters.hpp"
#include "contact/way_out/direction.hpp"
#include "contact/way_out/way_out.hpp"

namespace odemesh {

namespace {

/// Pegs that are pressed into a corner of their hole overlap its walls by no more than this, in units of the
/// smaller mesh's radius; deeper, bodies are in each other in any way.
constexpr double kLooseFit = 0.08;

/// Where contacts tell how deep they are, walls are looked for from within that on, but no less than this
/// share of a tight fit.
constexpr double kLeastTight = 1.0 / 16;

/// In units of its depth: how far a point that a wall holds has to be from walls that lean over that one, and
/// how long a much shorter way out is at most.
constexpr double kClearOfWalls = 2, kShorterWay = 0.5;

/// An edge of which an end has more than this share of the way of its whole region leaves with that. Of
/// another one, a corner tells no more than corners may.
constexpr double kWholeWay = 0.9;

/// A direction that a point may leave by, and the clusters of the walls that it leaves.
struct LocalWay {
  Vec3 direction;
  double share;  ///< of the way, that goes off each wall
  std::array<std::size_t, 2> clusters;
};

/// Between so many of the largest clusters, ways out of a corner are looked for.
constexpr std::size_t kMostCorners = 5;

/// Calls `visit` with each direction that a point may leave by until it returns true.
template <typename Visit>
bool forLocalWays(const std::vector<Vec3>& clusters, Visit&& visit) {
  for (std::size_t i = 0; i < clusters.size(); ++i)
    if (visit(LocalWay{clusters[i], 1, {i, i}})) return true;
  for (std::size_t i = 0; i < std::min(clusters.size(), kMostCorners); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3 between = clusters[i] + clusters[j];
      const double share = 0.5 * length(between);
      if (share > kSteepestWall && visit(LocalWay{between / (2 * share), share, {i, j}})) return true;
    }
  return false;
}

/// How far a point is behind the walls that are near it, by cluster; behind the others, not at all.
using WallDepths = std::array<double, kMostWalls>;
constexpr double kNotNear = -1;

/// Is the foot of `point` on the plane of a face no more than `most` beyond its sides?
[[nodiscard]] bool isBeside(const Vec3& point, const RegionFace& f, double most) {
  for (int i = 0; i < 3; ++i) {
    const Vec3 &from = f.triangle.v[i], &to = f.triangle.v[(i + 1) % 3];
    if (dot(cross(to - from, f.normal), point - from) > most * length(to - from)) return false;
  }
  return true;
}

/// For walls of the other mesh that `point` of mesh `side` is within `most` of: also those in front of which
/// it is, since the way off another one may lead into them. No wall counts that ends farther than `beside`
/// from there.
[[nodiscard]] WallDepths depthsBehindWalls(int side, const Vec3& point, double most,
                                           const ContactScratch& scratch, double beside = kEndless) {
  WallDepths depths;
  depths.fill(kNotNear);
  for (const RegionFace& f : scratch.faces[1 - side]) {
    const double behind = depthBehind(point, f);
    if (std::abs(behind) > most || (beside < kEndless && !isBeside(point, f, beside))) continue;
    double& depth = depths[nearestCluster(side == 0 ? f.normal : -f.normal, scratch)];
    depth = std::max({depth, behind, 0.0});
  }
  return depths;
}

/// The two walls that a point is farthest behind, the later one first; of a single one, twice that.
[[nodiscard]] std::array<std::size_t, 2> deepestWalls(const WallDepths& depths) {
  const auto deepest = std::ranges::max_element(depths);
  WallDepths others = depths;
  others[std::size_t(deepest - depths.begin())] = kNotNear;
  const auto second = std::ranges::max_element(others);
  const auto first_wall = std::size_t(deepest - depths.begin());
  const auto second_wall = *second >= 0 ? std::size_t(second - others.begin()) : first_wall;
  return {std::max(first_wall, second_wall), std::min(first_wall, second_wall)};
}

/// The way off all of them at once: what fills the bottom of a hole is in the corner of a floor and two
/// walls.
[[nodiscard]] std::optional<LocalWay> wayBetween(const WallDepths& depths,
                                                 const std::vector<Vec3>& clusters) {
  Vec3 sum;
  for (std::size_t k = 0; k < clusters.size(); ++k)
    if (depths[k] >= 0) sum += clusters[k];
  LocalWay way{normalised(sum), 1, deepestWalls(depths)};
  for (std::size_t k = 0; k < clusters.size(); ++k)
    if (depths[k] >= 0) way.share = std::min(way.share, dot(way.direction, clusters[k]));
  return lengthSq(sum) > 0 && way.share > kSteepestWall ? std::optional(way) : std::nullopt;
}

[[nodiscard]] const Vec3& positionOf(const Vec3& point) {
  return point;
}
[[nodiscard]] const Vec3& positionOf(const InsideEdge& edge) {
  return edge.middle;
}

/// The points of mesh `side` that are farthest behind the walls: of those that touch a wall with a whole
/// face, a corner that sticks through the next one may be the only one that is deep. One for each wall.
template <typename Point>
[[nodiscard]] std::span<const std::size_t> farthestBehindWalls(const std::vector<Point>& points, int side,
                                                               const ContactScratch& scratch,
                                                               std::array<std::size_t, kMostWalls>& out) {
  std::size_t count = 0;
  for (const Vec3& wall : scratch.clusters) {
    const Vec3 way = side == 0 ? wall : -wall;
    const auto farthest =
        std::ranges::min_element(points, {}, [&](const Point& p) { return dot(way, positionOf(p)); });
    out[count++] = std::size_t(farthest - points.begin());
  }
  return {out.data(), count};
}

/// Calls `visit` with each point of each side, of many with some and those farthest behind the walls, until
/// it returns false.
template <typename Point, typename Visit>
bool forPoints(const std::array<std::vector<Point>, 2>& sides, const ContactScratch& scratch, Visit&& visit) {
  for (int side = 0; side < 2; ++side) {
    const std::vector<Point>& points = sides[side];
    if (!forMeasured(points, [&](const Point& p) { return visit(side, p); })) return false;
    const std::size_t stride = measuredStride(points.size());
    if (stride == 1 || !areWalls(scratch)) continue;
    std::array<std::size_t, kMostWalls> room;
    const auto farthest = farthestBehindWalls(points, side, scratch, room);
    for (auto i = farthest.begin(); i != farthest.end(); ++i)
      if (*i % stride != 0 && std::find(farthest.begin(), i, *i) == i && !visit(side, points[*i]))
        return false;
  }
  return true;
}

/// That in which mesh `side` moves on a way.
[[nodiscard]] Vec3 directionOf(const LocalWay& way, int side) {
  return side == 0 ? way.direction : -way.direction;
}

/// How far `p` of mesh `side` has to move to leave by `way`.
template <typename Point>
[[nodiscard]] double wayOutBy(const MeshPair& pair, int side, const Point& p, const LocalWay& way,
                              ContactScratch& scratch) {
  return wayOutPast(pair, side, p, directionOf(way, side), scratch);
}

/// The same until all of `p` has left, if that is less than `most`.
///@{
[[nodiscard]] double wholeWayOutBy(const MeshPair& pair, int side, const Vec3& p, const LocalWay& way, double,
                                   ContactScratch& scratch) {
  return wayOutBy(pair, side, p, way, scratch);
}
[[nodiscard]] double wholeWayOutBy(const MeshPair& pair, int side, const InsideEdge& edge,
                                   const LocalWay& way, double most, ContactScratch& scratch) {
  const double t = wayOutBy(pair, side, edge, way, scratch);
  return t < most ? std::max(t, wayOutOfThroughEdge(pair, side, edge, directionOf(way, side), scratch)) : t;
}
///@}

/// The point of `p` that has the longest way until all of it has left, if its middle leaves after `t`: of an
/// edge, it may be an end.
///@{
[[nodiscard]] PointOnWay lastToLeave(const MeshPair&, int, const Vec3& p, const LocalWay&, double t,
                                     const ContactScratch&) {
  return {p, t};
}
[[nodiscard]] PointOnWay lastToLeave(const MeshPair& pair, int side, const InsideEdge& edge,
                                     const LocalWay& way, double t, const ContactScratch& scratch) {
  const PointOnWay end = wayOutOfFarEnd(pair, side, edge, directionOf(way, side), scratch);
  return end.length > t ? end : PointOnWay{edge.middle, t};
}
///@}

/// How far `p` comes off the walls of a way by which it leaves after moving by `t`. Of a way between two that
/// its own body has, or that are somewhere else, the face by which it leaves tells: nothing less lets it out.
template <typename Point>
[[nodiscard]] double offWalls(const MeshPair& pair, int side, const Point& p, const LocalWay& way, double t) {
  const double off = t * way.share;
  if (way.clusters[0] == way.clusters[1]) return off;
  const auto left = exitFace(pair, side, positionOf(p), directionOf(way, side), t);
  return left ? std::max(off, t * std::abs(dot(way.direction, pair[1 - side].normal(left->face)))) : off;
}

/// Is `p` near the walls of a way on which it moves by `off` off each? A way between walls that almost oppose
/// each other leads hardly off either, so that it says nothing of one that is somewhere else.
template <typename Point>
[[nodiscard]] bool isNearWalls(const MeshPair& pair, int side, const Point& p, const LocalWay& way,
                               double off, const ContactScratch& scratch) {
  if (way.share > kSteepWall || !areWalls(scratch)) return true;
  const double reach = kClearOfWalls * off + pair.tolerances().touching;
  const WallDepths depths = depthsBehindWalls(side, positionOf(p), reach, scratch);
  return depths[way.clusters[0]] != kNotNear && depths[way.clusters[1]] != kNotNear;
}

/// Does `p` leave by moving `most` off the walls of `way`?
template <typename Point>
[[nodiscard]] bool leavesBy(const MeshPair& pair, int side, const Point& p, const LocalWay& way, double most,
                            ContactScratch& scratch) {
  const double t = wayOutBy(pair, side, p, way, scratch);
  if (t * way.share > most) return false;
  const double off = offWalls(pair, side, p, way, lastToLeave(pair, side, p, way, t, scratch).length);
  return off <= most && isNearWalls(pair, side, p, way, off, scratch);
}

/// Calls `visit` with reaches from `first` on, each twice the one before, up to `most` or that of a loose
/// fit, until it returns true: walls that are farther off than need be may lead into others.
template <typename Visit>
bool forReaches(const MeshPair& pair, double first, double most, Visit&& visit) {
  const double last = std::min(kLooseFit * pair.size(), most);
  for (double reach = std::min(first, last); !visit(reach); reach = std::min(2 * reach, last))
    if (reach >= last) return false;
  return true;
}

/// Calls `visit` with the depths behind all walls within `reach`, and behind those alone that do not end
/// before they come near the point, until it returns true: between many walls, the planes of some cross
/// others.
template <typename Visit>
bool forWallDepths(int side, const Vec3& point, double reach, const ContactScratch& scratch, Visit&& visit) {
  const WallDepths all = depthsBehindWalls(side, point, reach, scratch);
  if (visit(all)) return true;
  const WallDepths beside = depthsBehindWalls(side, point, reach, scratch, kClearOfWalls * reach);
  return beside != all && visit(beside);
}

/// Does `p` leave by moving `most` off all walls that `depths` tells of?
template <typename Point>
[[nodiscard]] bool leavesBetween(const MeshPair& pair, int side, const Point& p, const WallDepths& depths,
                                 double most, ContactScratch& scratch) {
  const auto way = wayBetween(depths, scratch.clusters);
  return way && wayOutBy(pair, side, p, *way, scratch) * way->share <= most + pair.tolerances().touching;
}

/// Does `p` leave by moving `most` off all walls around it?
template <typename Point>
[[nodiscard]] bool leavesBetweenWalls(const MeshPair& pair, int side, const Point& p, double most,
                                      ContactScratch& scratch) {
  if (!areWalls(scratch)) return false;
  return forReaches(pair, kTightFit * pair.size(), most, [&](double reach) {
    const double near = reach + pair.tolerances().touching;  // contacts are told less that
    return forWallDepths(side, positionOf(p), near, scratch, [&](const WallDepths& depths) {
      return leavesBetween(pair, side, p, depths, most, scratch);
    });
  });
}

/// The same, where each wall that it is behind by more than a touch has contacts, by `cluster_depths`.
[[nodiscard]] bool leavesToldWalls(const MeshPair& pair, int side, const Vec3& p, double most,
                                   ContactScratch& scratch) {
  const double touching = pair.tolerances().touching;
  const WallDepths depths = depthsBehindWalls(side, p, most + touching, scratch);
  for (std::size_t k = 0; k < scratch.cluster_depths.size(); ++k)
    if (depths[k] > touching && scratch.cluster_depths[k] <= 0) return false;
  return leavesBetween(pair, side, p, depths, most, scratch);
}

/// The way for what is behind the two walls of `way` by different depths, and no farther off either than
/// that: what has sunk into a floor by a hair, and runs into a wall, does not jump.
[[nodiscard]] std::optional<LocalWay> leaningToDeeper(const LocalWay& way, const WallDepths& depths,
                                                      const std::vector<Vec3>& clusters) {
  const auto [i, j] = way.clusters;
  if (depths[i] <= 0 || depths[j] <= 0) return std::nullopt;
  const double cosine = dot(clusters[i], clusters[j]);
  const double along_i = depths[i] - cosine * depths[j], along_j = depths[j] - cosine * depths[i];
  if (along_i <= 0 || along_j <= 0) return std::nullopt;
  const Vec3 direction = normalised(clusters[i] * along_i + clusters[j] * along_j);
  return LocalWay{direction, std::max(dot(direction, clusters[i]), dot(direction, clusters[j])),
                  way.clusters};
}

/// No longer than `most`. Walls are looked for from within `nearest` on.
template <typename Point>
[[nodiscard]] CornerPoint shortestWayOut(const MeshPair& pair, int side, const Point& p, double nearest,
                                         double most, ContactScratch& scratch) {
  LocalWay by{};
  double least = std::numeric_limits<double>::infinity();
  const auto takeShorter = [&](const LocalWay& way) {
    const double t = wholeWayOutBy(pair, side, p, way, least, scratch);
    if (t < least && isNearWalls(pair, side, p, way, t * way.share, scratch)) {
      least = t;
      by = way;
    }
    return false;
  };
  forLocalWays(scratch.clusters, takeShorter);
  // Out of a corner of three walls, or of walls that are not among the largest.
  forReaches(pair, nearest, most, [&](double reach) {
    if (least <= reach) return true;
    return forWallDepths(side, positionOf(p), reach, scratch, [&](const WallDepths& depths) {
      if (const auto way = wayBetween(depths, scratch.clusters)) takeShorter(*way);
      return false;
    });
  });
  if (by.share == 0) return {};  // no way leads out
  if (by.clusters[0] != by.clusters[1] && by.share > kSteepWall && areWalls(scratch)) {
    const WallDepths depths = depthsBehindWalls(side, positionOf(p), least, scratch);
    if (const auto leaning = leaningToDeeper(by, depths, scratch.clusters)) takeShorter(*leaning);
  }
  const PointOnWay last = lastToLeave(pair, side, p, by, least, scratch);
  double depth = offWalls(pair, side, p, by, last.length);
  if (depth < kWholeWay * kBentRegion * most) depth = std::min(depth, std::max(most, least * by.share));
  const Vec3 half = by.direction * (0.5 * depth);
  return {last.point + (side == 0 ? half : -half), by.direction, depth, by.clusters};
}

}  // namespace

template <typename Point>
bool leaveLocally(const MeshPair& pair, const std::array<std::vector<Point>, 2>& points, double most,
                  ContactScratch& scratch) {
  std::optional<LocalWay> last;  // by which a point left; most often the next one does, too
  return forPoints(points, scratch, [&](int side, const Point& p) {
    const auto leavesByCluster = [&] {
      return forLocalWays(scratch.clusters, [&](const LocalWay& way) {
        if (!leavesBy(pair, side, p, way, most, scratch)) return false;
        last = way;
        return true;
      });
    };
    return (last && leavesBy(pair, side, p, *last, most, scratch)) || leavesByCluster() ||
           leavesBetweenWalls(pair, side, p, most, scratch);
  });
}

template bool leaveLocally(const MeshPair&, const std::array<std::vector<Vec3>, 2>&, double, ContactScratch&);
template bool leaveLocally(const MeshPair&, const std::array<std::vector<InsideEdge>, 2>&, double,
                           ContactScratch&);

bool leavesOffWall(const MeshPair& pair, int side, const Vec3& point, std::size_t k, double depth,
                   ContactScratch& scratch) {
  const auto& clusters = scratch.clusters;
  const WallDepths depths = depthsBehindWalls(side, point, kClearOfWalls * depth, scratch);
  for (std::size_t other = 0; other < clusters.size(); ++other)
    if (depths[other] != kNotNear && dot(clusters[k], clusters[other]) < kLooksAgainst) return false;
  return !forLocalWays(clusters, [&](const LocalWay& way) {
    return wayOutBy(pair, side, point, way, scratch) * way.share < kShorterWay * depth;
  });
}

bool findCornerPoints(const MeshPair& pair, double most, ContactScratch& scratch) {
  scratch.corner_points.clear();
  if (!areWalls(scratch)) return false;
  const auto add = [&](int side, const auto& p) {
    const CornerPoint point = shortestWayOut(pair, side, p, kTightFit * pair.size(), most, scratch);
    // What is inside a solid by a hair, or because it is blown up, is out along any direction.
    if (!pair[1 - side].mesh().isSolid() || point.depth > pair.tolerances().touching)
      scratch.corner_points.push_back(point);
    return point.depth <= most;
  };
  return forPoints(scratch.inside_points, scratch, add) && forPoints(scratch.inside_edges, scratch, add) &&
         !scratch.corner_points.empty();
}

bool findUnansweredPoints(const MeshPair& pair, double most, ContactScratch& scratch) {
  scratch.corner_points.clear();
  if (!areWalls(scratch)) return true;
  const auto& depths = scratch.cluster_depths;
  const double deepest = depths.empty() ? 0 : *std::ranges::max_element(depths);
  // Beside what is thin, walls on the far side are as near as those of a tight fit.
  const double tight = kTightFit * pair.size(), nearest = std::clamp(deepest, kLeastTight * tight, tight);
  return forPoints(scratch.inside_points, scratch, [&](int side, const Vec3& p) {
    const bool is_answered = forLocalWays(scratch.clusters, [&](const LocalWay& way) {
      const auto [lesser, greater] = std::minmax(depths[way.clusters[0]], depths[way.clusters[1]]);
      return lesser > 0 && leavesBy(pair, side, p, way, kBentRegion * greater, scratch);
    });
    if (is_answered || leavesToldWalls(pair, side, p, kBentRegion * deepest, scratch)) return true;
    const CornerPoint point = shortestWayOut(pair, side, p, nearest, most, scratch);
    if (point.depth > pair.tolerances().touching) scratch.corner_points.push_back(point);
    return point.depth <= most;
  });
}

}  // namespace odemesh
