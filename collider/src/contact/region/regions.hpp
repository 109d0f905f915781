// Which vertices of each mesh lie inside the other, and which contours and vertices belong together.
#pragma once

#include <array>

#include "contact/placed_mesh.hpp"
#include "contact/region/sheet_side.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// Numbers the regions of overlap: fills `scratch.inside`, and the `region` of every crossing and inside
/// vertex, and returns how many regions there are. The first and last crossing along an edge tell on which
/// side its ends lie (Heidelberger et al. 2004, step 1); from there the inside is flooded over edges that are
/// not crossed. Pieces of a mesh that no contour touches are tested with rays against the other solid. On
/// which side an open shell holds the other body is settled first.
[[nodiscard]] std::uint32_t findRegions(const MeshPair& pair, std::array<SheetSide, 2>& sides,
                                        ContactScratch& scratch);

}  // namespace odemesh
