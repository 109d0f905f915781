// Whether a body that moves as a whole comes free of another.
#pragma once

#include "contact/placed_mesh.hpp"

namespace odemesh {

/// Is mesh 1, moved by `way` (in the contact frame), clear of mesh 2, and does neither lie in the other?
[[nodiscard]] bool isFree(const MeshPair& pair, const Vec3& way);

/// The same of a mesh 1 that is smaller, or larger, by `share`: is it held by no more than what fills its
/// hole?
[[nodiscard]] bool isFreeButFor(const MeshPair& pair, const Vec3& way, double share);

}  // namespace odemesh
