// Two meshes, in odemeshCollideSpeculative.
#pragma once

#include "ode/speculative_call.hpp"

namespace odemesh::ode {

/// Writes the contacts of two trimesh geoms in the coming step. Returns how many they are.
[[nodiscard]] int collideMeshesAhead(const SpeculativeCall& r);

}  // namespace odemesh::ode
