#include "contact/way_out/is_free.hpp"

#include <algorithm>
#include <odemesh/collide.hpp>

#include "contact/region/point_in_solid.hpp"
#include "contact/way_out/convex_exit.hpp"

namespace odemesh {

namespace {

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
  // For convex bodies, a ray through their difference tells it sooner than a search for triangles that meet.
  if (const double far = length(way); far > 0 && pair.areConvex())
    if (const auto is_free = isFreeAt(pair, way / far, far)) return *is_free;
  return !crosses(pair, way, pair.mesh2InMesh1()) && liesOutside(pair, way);
}

bool isFreeButFor(const MeshPair& pair, const Vec3& way, double share) {
  const Vec3 centre = pair[0].mesh().sphereCentre() + way;
  const auto isApart = [&](double scale) {  // a pose that is no rotation has to be that of mesh 2
    return !crosses(pair, way, scaledAbout(centre, scale, pair.mesh2InMesh1()));
  };
  return (isApart(1 - share) || isApart(1 + share)) && liesOutside(pair, way);
}

}  // namespace odemesh
