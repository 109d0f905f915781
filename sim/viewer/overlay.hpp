// What the collider sees, laid over a picture: triangles that intersect, and bounding volumes.
#pragma once

#include <map>
#include <odemesh/mesh.hpp>
#include <odemesh/sim/render/snapshot.hpp>
#include <odemesh/sim/world.hpp>

namespace odemesh::viewer {

/// Keeps odemesh's form of the meshes that it has met.
class Overlay {
 public:
  /// Adds the triangles that meet a triangle of another body's mesh.
  void addIntersections(const sim::World& world, sim::Snapshot& out);
  /// Adds the boxes of every moving mesh `level` steps below the root of its tree.
  void addBoundingVolumes(const sim::World& world, std::size_t level, sim::Snapshot& out);

 private:
  /// Null for a mesh that odemesh can't use.
  const Mesh* meshOf(const std::shared_ptr<const sim::CollisionMesh>& mesh);

  struct Kept {
    std::shared_ptr<const sim::CollisionMesh> source;
    std::shared_ptr<const Mesh> mesh;
  };
  std::map<const sim::CollisionMesh*, Kept> meshes_;
};

}  // namespace odemesh::viewer
