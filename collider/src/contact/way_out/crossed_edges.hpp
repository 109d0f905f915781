// An edge of one mesh that goes in by one face of the other and comes out by its neighbour: it has passed the
// edge between them.
#pragma once

#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// How far the mesh of `edge` has to move along the unit vector `way` until the two edges have passed each
/// other, or one of them ends, if its middle leaves by a face of the normal `leaves_by`; 0 if that is neither
/// of the two faces, or if they are no neighbours. The way out of the middle may be much shorter: where both
/// edges are sharp, each slips off the side of the other, and what was beside it follows.
[[nodiscard]] double crossedEdgesExit(const MeshPair& pair, const ContactScratch& scratch,
                                      const InsideEdge& edge, const Vec3& way, const Vec3& leaves_by);

}  // namespace odemesh
