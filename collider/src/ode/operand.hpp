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

/// Its mesh alone, or null, with the reason recorded: that of the cache, which stays until the next callback
/// of the program's, or else a copy in `keeper`.
[[nodiscard]] const CachedMesh* borrowMesh(dGeomID geom, CachedMesh& keeper);

/// Is the pose finite, and its rotation one but for what a program has let it drift?
[[nodiscard]] bool isRigid(const Pose& pose);

/// False, with the reason recorded, if the pose of the geom is not that of a rigid body.
[[nodiscard]] bool checkPose(dGeomID geom, const Pose& pose);

}  // namespace odemesh::ode
