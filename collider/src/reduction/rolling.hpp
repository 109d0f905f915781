// What holds of a face that rests says nothing of the facets of a wheel, which come down one after the other.
#pragma once

#include <vector>

#include "contact/placed_mesh.hpp"
#include "contact/relative_motion.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// Does a body roll, or tumble, on another? `motion` is that of either seen from the other, null if it is not
/// known, and the sphere, in the world, bounds the smaller one. What turns in place, as a nut on its bolt,
/// slides. Who asks for a `margin` wants corners that are apart: to that, nothing rolls.
[[nodiscard]] bool isRolling(const RelativeMotion* motion, double margin, const Vec3& centre, double radius);

/// Drops candidates that are apart and rise from a touching one more steeply than a face does that rocks on
/// another: facets that have not come down yet, which would stop what rolls in the air. Tells whether there
/// were any. O(those that are apart times those that touch).
bool dropFacetsAbove(const Tolerances& tolerances, std::vector<Candidate>& candidates);

}  // namespace odemesh
