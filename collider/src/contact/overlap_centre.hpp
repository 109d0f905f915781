// The middle of what two surfaces overlap by.
#pragma once

#include <optional>

#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// The middle, across `direction`, of what the faces in `scratch.faces` overlap by along it, within the
/// extent of `scratch.points`: the centroid of their common area, weighted by its thickness. The part of the
/// result along `direction` is 0. Nothing where there are too many faces to clip each against each.
/// O(n log n + overlaps).
[[nodiscard]] std::optional<Vec3> overlapCentre(const MeshPair& pair, const Vec3& direction,
                                                ContactScratch& scratch);

}  // namespace odemesh
