// A trimesh geom as the pipeline takes it.
#pragma once

#include <odemesh/odemesh.h>

#include <odemesh/pose.hpp>

#include "ode/mesh_cache.hpp"

namespace odemesh::ode {

struct Operand {
  CachedMesh cached;
  Pose pose;
};

/// False, with the reason recorded, if the geom has nothing to collide with.
[[nodiscard]] bool readOperand(dGeomID geom, Operand& out);

/// Its parts.
///@{
[[nodiscard]] bool readMesh(dGeomID geom, CachedMesh& out);
[[nodiscard]] bool readPose(dGeomID geom, Pose& out);
///@}

}  // namespace odemesh::ode
