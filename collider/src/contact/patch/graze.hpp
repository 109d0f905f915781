// Two bodies that slide past each other, a convex edge of one along a convex edge of the other.
#pragma once

#include <array>

#include "contact/placed_mesh.hpp"
#include "contact/region/sheet_side.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// Is the region of `scratch.points` and `scratch.faces` a thread no thicker than the inflation, along
/// parallel convex edges of both meshes? Such a touch supports nothing, and neither of the four faces has a
/// better claim to its normal than the others: a box that slides over flush slabs would stumble over their
/// seam.
[[nodiscard]] bool isParallelEdgeGraze(const MeshPair& pair, const std::array<SheetSide, 2>& sides,
                                       const ContactScratch& scratch);

/// Is the region of `scratch.faces` and `scratch.points` as good as a point, no deeper than surfaces that
/// only touch, at edges or vertices of both meshes? What slides over the seam between two slabs has sunk in
/// by a hair, and would run into the next one where its foremost vertex is above the seam. So a vertex may
/// be as deep as what rests, but edges that cross may not: one may rest on the other.
[[nodiscard]] bool isPointGraze(const MeshPair& pair, const std::array<SheetSide, 2>& sides, double depth,
                                const ContactScratch& scratch);

}  // namespace odemesh
