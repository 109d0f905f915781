// Along which direction does the overlap of a region resolve with the least motion?
#pragma once

#include <array>

#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"
#include "contact/sheet_side.hpp"

namespace odemesh {

/// The direction of a region and how far mesh 1 has to move along it.
struct Separation {
  Vec3 direction;  ///< unit, into mesh 1, in the contact frame
  double depth = 0;
};

/// Picks, among the area vector of the region's contour and the normals of its faces, the direction along
/// which the points of `scratch.points` part first. `contour_is_closed` tells whether the area vector has a
/// meaning. The area vector is right for vertex-face, edge-edge and curved contact however finely the faces
/// are cut; the face normals are right where flat faces meet off centre.
[[nodiscard]] Separation findSeparation(const std::array<SheetSide, 2>& sides, const MeshPair& pair,
                                        const Vec3& area_vector, bool contour_is_closed,
                                        ContactScratch& scratch);

/// The separation of a body that lies wholly inside the other: the least exit over face normals and a grid of
/// directions, measured against the whole outer mesh.
[[nodiscard]] Separation findExit(const MeshPair& pair, ContactScratch& scratch);

/// Fills `scratch.clusters` with directions such that every face of `scratch.faces` lies within the cone of
/// one. For regions that bend; at most 64.
void clusterDirections(const std::array<SheetSide, 2>& sides, const MeshPair& pair, ContactScratch& scratch);

/// The cluster whose direction is closest to `direction`.
[[nodiscard]] std::size_t nearestCluster(const Vec3& direction, const ContactScratch& scratch);

}  // namespace odemesh
