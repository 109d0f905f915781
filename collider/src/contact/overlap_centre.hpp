// The middle of what two surfaces overlap by.
#pragma once

#include <optional>

#include "contact/facing.hpp"

namespace odemesh {

/// The middle, across the direction, of what faces that face each other overlap by: the centroid of their
/// common area, weighted by its thickness. The part of the result along the direction is 0. Nothing where
/// there are too many faces to clip each against each. O(n log n + overlaps).
[[nodiscard]] std::optional<Vec3> overlapCentre(const Facing& facing);

}  // namespace odemesh
