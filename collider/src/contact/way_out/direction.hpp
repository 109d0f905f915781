// Along which direction does the overlap of a region resolve with the least motion?
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// The ways out of about so many vertices of a side are measured.
inline constexpr std::size_t kMostMeasured = 8;

/// Of so many vertices, every so many-th.
[[nodiscard]] constexpr std::size_t measuredStride(std::size_t count) {
  return count / kMostMeasured + 1;
}

/// Calls `visit` with those points until it returns false; says whether it never did.
template <typename Point, typename Visit>
bool forMeasured(const std::vector<Point>& points, Visit&& visit) {
  for (std::size_t i = 0; i < points.size(); i += measuredStride(points.size()))
    if (!visit(points[i])) return false;
  return true;
}

/// How far mesh 1 has to move along `direction` until no point of `points` of its side lies below those of
/// mesh 2.
[[nodiscard]] double mostApart(const Vec3& direction, const std::array<std::vector<Vec3>, 2>& points);

/// Picks, among the area vector of the region's contour and the normals of its faces, the direction along
/// which the points of `scratch.points` part first, and the vertices of `scratch.inside_points` find a way
/// out that is about as short. `contour_is_simple` tells whether the area vector has a meaning. The area
/// vector is right for vertex-face, edge-edge and curved contact however finely the faces are cut; the face
/// normals are right where flat faces meet off centre.
[[nodiscard]] Separation findSeparation(const MeshPair& pair, const Vec3& area_vector, bool contour_is_simple,
                                        ContactScratch& scratch);

/// Is the region of `scratch.faces` deep, and small enough to be looked at from all sides?
[[nodiscard]] bool isDeepAndSmall(double depth, const MeshPair& pair, const ContactScratch& scratch);

/// The separation of a body `inner` that lies wholly inside the other: the least exit over face normals and a
/// grid of directions, measured against the whole outer mesh if that is convex, else point by point.
[[nodiscard]] Separation findExit(const MeshPair& pair, int inner, ContactScratch& scratch);

}  // namespace odemesh
