// Reads what ODE holds: poses of geoms and the local coordinates behind a dTriMeshDataID.
#pragma once

#include <odemesh/odemesh.h>

#include <cstdint>
#include <odemesh/pose.hpp>
#include <vector>

namespace odemesh::ode {

/// Where the geom's mesh is in the world: body, offset and dGeomTransform included.
[[nodiscard]] Pose poseOf(dGeomID geom);

/// The corners of all triangles, three a triangle, exactly as ODE's own collider sees them (rounded to float,
/// in the frame of the mesh). About 40 ns a triangle. Safe inside collision callbacks.
void readCorners(dTriMeshDataID data, std::vector<Vec3>& corners);

}  // namespace odemesh::ode
