#include "contact/pair/free_way.hpp"

#include <algorithm>
#include <odemesh/collide.hpp>

#include "contact/region/point_in_solid.hpp"
#include "separation/mesh_cast.hpp"

namespace odemesh {

namespace {

constexpr int kHalvings = 6;

/// Lengths are looked at up to this one, in units of the smaller mesh's radius, each by so much longer than
/// the one before.
constexpr double kLongest = 4;
constexpr double kGrowth = 1.25;

/// Of ways that are as long as each other, the first is taken: a later one has to be shorter by this factor.
constexpr double kShorter = 0.999;

/// Of a length that rays tell, so much is beyond doubt.
constexpr double kCertain = 1 - 1e-6;

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

[[nodiscard]] double passesFrom(const MeshPair& pair, const Vec3& direction, double limit) {
  const double radii[] = {pair[0].mesh().sphereRadius(), pair[1].mesh().sphereRadius()};
  double from = kEndless;
  for (int side = 0; side < 2; ++side) {
    if (radii[side] > radii[1 - side]) continue;
    const PlacedMesh& other = pair[1 - side];
    const auto hit = firstFaceOnRay(other.mesh(), other.pose(), pair[side].centre(),
                                    side == 0 ? direction : -direction, limit);
    if (hit && (hit->enters || !other.mesh().isSolid())) from = std::min(from, hit->t);
  }
  return from;
}

/// How far a solid reaches from a point along a unit vector without a gap; 0 from outside.
[[nodiscard]] double reachFrom(const Vec3& point, const Vec3& direction, const PlacedMesh& solid,
                               double limit) {
  const auto hit = firstFaceOnRay(solid.mesh(), solid.pose(), point, direction, limit);
  return hit && !hit->enters ? hit->t : 0;
}

/// As long as mesh 1 moves by less than this, what it has behind a point inside of both meshes meets what
/// mesh 2 has before it.
[[nodiscard]] double blockedUpTo(const MeshPair& pair, const Vec3& point, const Vec3& direction,
                                 double limit) {
  if (!pair.areSolid()) return 0;
  const double behind = reachFrom(point, -direction, pair[0], limit);
  const double before = reachFrom(point, direction, pair[1], limit);
  return behind > 0 && before > 0 ? kCertain * (behind + before) : 0;
}

}  // namespace

WayBounds boundsOfWay(const MeshPair& pair, const Vec3& direction, const Vec3& inside, double limit) {
  return {blockedUpTo(pair, inside, direction, limit), passesFrom(pair, direction, limit)};
}

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
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (too_short + free);
    (isFree(pair, direction * middle) ? free : too_short) = middle;
  }
  return free;
}

std::optional<Vec3> shortestFreeWay(const MeshPair& pair, const Vec3& inside, double least,
                                    ContactScratch& scratch) {
  auto& directions = scratch.directions;
  addAxes(pair[0].pose().rotation, directions);
  addAxes(pair[1].pose().rotation, directions);
  const double longest = kLongest * pair.size();
  scratch.way_bounds.clear();
  for (const Vec3& d : directions) scratch.way_bounds.push_back(boundsOfWay(pair, d, inside, longest));
  std::optional<Vec3> shortest;
  for (const bool may_pass : {false, true})
    for (double reach = least; !shortest && reach < longest; reach *= kGrowth)
      for (std::size_t i = 0; i < directions.size(); ++i) {
        const Vec3& d = directions[i];
        const WayBounds& bounds = scratch.way_bounds[i];
        const double free = shortest ? kShorter * length(*shortest) : reach;
        if (free >= bounds.blocked && (free > bounds.passes_from) == may_pass && isFree(pair, d * free))
          shortest = d * halveToFree(pair, d, reach / kGrowth, free);
      }
  return shortest;
}

}  // namespace odemesh
