#include "contact/pair/free_way.hpp"

#include <algorithm>
#include <odemesh/collide.hpp>

#include "contact/pair/way_bounds.hpp"
#include "contact/region/point_in_solid.hpp"

namespace odemesh {

namespace {

constexpr int kHalvings = 6;

/// Lengths are looked at up to this one, in units of the smaller mesh's radius, each by so much longer than
/// the one before.
constexpr double kLongest = 4;
constexpr double kGrowth = 1.25;

/// Of ways that are as long as each other, the first is taken: a later one has to be shorter by this factor.
constexpr double kShorter = 0.999;

/// Of a mesh of more pieces, so many are looked for in the other one.
constexpr std::size_t kMostPieces = 16;

/// Does a piece of mesh `side` lie in the other mesh, which it does not cross?
[[nodiscard]] bool liesIn(const MeshPair& pair, int side) {
  if (!pair[1 - side].mesh().isSolid()) return false;
  const PointInSolid solid(pair[1 - side]);
  const auto pieces = pair[side].mesh().componentVertices();
  return std::ranges::any_of(pieces.first(std::min(pieces.size(), kMostPieces)),
                             [&](std::uint32_t v) { return solid.contains(pair[side].vertex(v)); });
}

/// The axes of a mesh, both ways.
void addAxes(const Mat3& rotation, std::vector<Vec3>& directions) {
  const Mat3 axes = rotation.transposed();
  for (const Vec3& axis : axes.row) {
    directions.push_back(axis);
    directions.push_back(-axis);
  }
}

/// Does neither mesh lie in the other where mesh 1, moved by `way`, does not cross mesh 2?
[[nodiscard]] bool liesOutside(const MeshPair& pair, const Vec3& way) {
  const MeshPair apart(pair[0].mesh(), {Mat3{}, way}, pair[1].mesh(), pair.mesh2InMesh1());
  return !boundsMeet(apart, 0) || (!liesIn(apart, 0) && !liesIn(apart, 1));
}

/// Does mesh 1, moved by `way`, cross mesh 2 at a pose in its frame?
[[nodiscard]] bool crosses(const MeshPair& pair, const Vec3& way, const Pose& mesh2_in_mesh1) {
  return intersects(pair[0].mesh(), {Mat3{}, way}, pair[1].mesh(), mesh2_in_mesh1);
}

/// Makes mesh 2 larger by `scale`, seen from `centre`.
[[nodiscard]] Pose scaledAbout(const Vec3& centre, double scale, const Pose& pose) {
  const auto& row = pose.rotation.row;
  return {{{row[0] * scale, row[1] * scale, row[2] * scale}}, centre + (pose.translation - centre) * scale};
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

bool isFree(const MeshPair& pair, const Vec3& way) {
  return !crosses(pair, way, pair.mesh2InMesh1()) && liesOutside(pair, way);
}

bool isFreeButFor(const MeshPair& pair, const Vec3& way, double share) {
  const Vec3 centre = pair[0].mesh().sphereCentre() + way;
  const auto isApart = [&](double scale) {  // a pose that is no rotation has to be that of mesh 2
    return !crosses(pair, way, scaledAbout(centre, scale, pair.mesh2InMesh1()));
  };
  return (isApart(1 - share) || isApart(1 + share)) && liesOutside(pair, way);
}

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
