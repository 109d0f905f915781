#include "contact/free_way.hpp"

#include <algorithm>
#include <array>
#include <odemesh/collide.hpp>

#include "contact/point_in_solid.hpp"
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

/// Is mesh 1 free at a pose in the frame of the pair?
[[nodiscard]] bool isFreeAt(const MeshPair& pair, const Pose& moved) {
  const Mesh &mesh1 = pair[0].mesh(), &mesh2 = pair[1].mesh();
  if (intersects(mesh1, moved, mesh2, pair.mesh2InMesh1())) return false;
  const MeshPair apart(mesh1, moved, mesh2, pair.mesh2InMesh1());
  return !boundsMeet(apart, 0) || (!liesIn(apart, 0) && !liesIn(apart, 1));
}

}  // namespace

bool isFree(const MeshPair& pair, const Vec3& way) {
  return isFreeAt(pair, {Mat3{}, way});
}

bool isFreeButFor(const MeshPair& pair, const Vec3& way, double share) {
  const Vec3 centre = pair[0].mesh().sphereCentre();
  return std::ranges::any_of(std::array{1 - share, 1 + share}, [&](double scale) {
    const Mat3 scaled{{{scale, 0, 0}, {0, scale, 0}, {0, 0, scale}}};
    return isFreeAt(pair, {scaled, way + centre * (1 - scale)});
  });
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
