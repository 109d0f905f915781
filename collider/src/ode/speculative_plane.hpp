// A mesh on a plane, in odemeshCollideSpeculative.
#pragma once

#include "ode/speculative_call.hpp"

namespace odemesh::ode {

/// Writes the contacts of a trimesh geom and a plane, which come in this order or the other one in `r`, in
/// the coming step. Returns how many they are.
[[nodiscard]] int collideMeshAndPlaneAhead(const SpeculativeCall& r, dGeomID mesh_geom, dGeomID plane_geom);

}  // namespace odemesh::ode
