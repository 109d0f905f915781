// A trimesh geom as the pipeline takes it.
#pragma once

#include <odemesh/odemesh.h>

#include <cstdint>
#include <odemesh/mesh.hpp>
#include <odemesh/pose.hpp>

#include "ode/mesh_cache.hpp"
#include "ode/trimesh_reader.hpp"

namespace odemesh::ode {

/// The mesh of a trimesh geom, or null, with the reason recorded: that of the cache, which stays until the
/// next callback of the program's, or else a copy in `keeper`.
[[nodiscard]] const CachedMesh* borrowMesh(dGeomID geom, CachedMesh& keeper);

/// The same of any geom: null, too, if it is no trimesh.
[[nodiscard]] inline const CachedMesh* meshOf(dGeomID geom, CachedMesh& keeper) {
  return dGeomGetClass(geom) == dTriMeshClass ? borrowMesh(geom, keeper) : nullptr;
}

/// Is the pose finite, and its rotation one but for what a program has let it drift?
[[nodiscard]] bool isRigid(const Pose& pose);

/// False, with the reason recorded, if the pose of the geom is not that of a rigid body.
[[nodiscard]] bool checkPose(dGeomID geom, const Pose& pose);

/// Its mesh and pose, read once for all that follows, and borrowed as long as `keep` is not called.
class Operand {
 public:
  explicit Operand(dGeomID geom)
      : mesh_(borrowMesh(geom, keeper_)),
        pose_(poseOf(geom)),
        is_usable_(mesh_ != nullptr && checkPose(geom, pose_)) {}
  Operand(const Operand&) = delete;
  Operand& operator=(const Operand&) = delete;

  /// False, with the reason recorded, if the geom has nothing to collide with.
  [[nodiscard]] bool isUsable() const { return is_usable_; }
  [[nodiscard]] const Mesh& mesh() const { return *mesh_->mesh; }
  [[nodiscard]] std::uint64_t serial() const { return mesh_->serial; }
  [[nodiscard]] const Pose& pose() const { return pose_; }

  /// The mesh stays from now on, whatever a callback of the program's does to its data.
  void keep() {
    if (mesh_ != &keeper_) keeper_ = *mesh_;
    mesh_ = &keeper_;
  }

 private:
  CachedMesh keeper_;
  const CachedMesh* mesh_;
  Pose pose_;
  bool is_usable_;
};

}  // namespace odemesh::ode
