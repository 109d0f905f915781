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
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (too_short + free);
    (isFree(pair, direction * middle) ? free : too_short) = middle;
  }
  return free;
}

bool passesThrough(const MeshPair& pair, const Vec3& way) {
  const double radii[] = {pair[0].mesh().sphereRadius(), pair[1].mesh().sphereRadius()};
  for (int side = 0; side < 2; ++side) {
    if (radii[side] > radii[1 - side]) continue;
    const PlacedMesh& other = pair[1 - side];
    const auto hit =
        firstFaceOnRay(other.mesh(), other.pose(), pair[side].centre(), side == 0 ? way : -way, 1);
    if (hit && hit->t < 1 && (hit->enters || !other.mesh().isSolid())) return true;
  }
  return false;
}

std::optional<Vec3> shortestFreeWay(const MeshPair& pair, std::vector<Vec3>& directions, double least) {
  addAxes(pair[0].pose().rotation, directions);
  addAxes(pair[1].pose().rotation, directions);
  std::optional<Vec3> shortest;
  for (const bool may_pass : {false, true})
    for (double reach = least; !shortest && reach < kLongest * pair.size(); reach *= kGrowth)
      for (const Vec3& d : directions) {
        const double free = shortest ? kShorter * length(*shortest) : reach;
        if (passesThrough(pair, d * free) == may_pass && isFree(pair, d * free))
          shortest = d * halveToFree(pair, d, reach / kGrowth, free);
      }
  return shortest;
}

}  // namespace odemesh
