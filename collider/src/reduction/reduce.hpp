// From many candidates to the few contacts that a solver needs.
#pragma once

#include <span>

#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// Leaves in `scratch.candidates` the contacts that represent one patch: the corners of the convex hull
/// across `direction`, cut down to `kPatchCorners` by the least loss of area (compare Moravanszky and
/// Terdiman 2004), and the deepest point unless a corner is as deep, or both ends of a ridge that rests. The
/// deepest is first, then its farthest corner, then those that add most to the area that the ones before them
/// span. Candidates that are apart by more than `Tolerances::opening` are no corners, nor, of what rolls
/// (`scratch.rolls`), facets that are still in the air. Depths become those
/// that are reported; `scratch.is_tip` tells whether the deepest is well within much shallower corners, and
/// `scratch.ridge` is the ends of what is as deep, if that is long. False, with no candidate left, if the
/// patch does not touch. The `rim` is where the overlap begins, if the patch is all of that and it is known.
[[nodiscard]] bool reducePatch(const Vec3& direction, const Tolerances& tolerances, ContactScratch& scratch,
                               std::span<const Vec3> rim = {});

}  // namespace odemesh
