// How thick is the overlap, and where? Opposing faces of a region are projected along its direction and
// clipped against each other; each corner of what they share is a candidate contact whose depth is the
// thickness there.
#pragma once

#include <array>

#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"
#include "contact/sheet_side.hpp"

namespace odemesh {

/// Fills `scratch.candidates` for the faces in `scratch.faces`, within the extent of `scratch.points`. Only
/// corners of positive depth are kept. `direction` is unit and points into mesh 1. Sort and sweep: O(n log n
/// + overlaps).
void overlayFaces(const MeshPair& pair, const std::array<SheetSide, 2>& sides, const Vec3& direction,
                  ContactScratch& scratch);

/// Two unit vectors that complete `direction` to a right-handed frame; a continuous function of it but at one
/// point (Duff et al. 2017).
[[nodiscard]] std::array<Vec3, 2> tangentsOf(const Vec3& direction);

}  // namespace odemesh
