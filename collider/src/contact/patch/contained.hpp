// One body lies wholly inside the other.
#pragma once

#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// Fills `scratch.candidates` for a region without a contour: the inner body leaves by the shortest way, and
/// the half of it that has the longest way to go carries the contacts. Returns the direction; the vertices
/// of a convex outer body are added to `scratch.points`.
[[nodiscard]] Vec3 addContained(const MeshPair& pair, ContactScratch& scratch);

}  // namespace odemesh
