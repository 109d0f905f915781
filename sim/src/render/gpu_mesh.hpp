// Meshes in OpenGL's memory.
#pragma once

#include <map>
#include <memory>
#include <span>

#include "render/instances.hpp"
#include "render/shading_mesh.hpp"

namespace odemesh::sim::render {

/// Triangles that can be drawn: attribute 0 is the position, 1 the normal.
class GpuMesh {
 public:
  explicit GpuMesh(std::span<const ShadingVertex> vertices);
  /// Draws `count` instances from `first` on. Corners that are alike are one vertex, so that each is
  /// transformed once.
  void draw(const InstanceBuffer& instances, std::size_t first, std::size_t count) const;
  /// Each corner on its own: three in a row, in gl_VertexID too, make a triangle.
  void drawCorners(const InstanceBuffer& instances, std::size_t first, std::size_t count) const;
  /// A coarser one of about the same outline, with far fewer triangles where the mesh has many.
  void drawCoarse(const InstanceBuffer& instances, std::size_t first, std::size_t count) const;
  [[nodiscard]] GLuint cornerArray() const { return corner_array_.get(); }
  [[nodiscard]] GLsizei cornerCount() const { return count_; }
  [[nodiscard]] GLsizei coarseCornerCount() const { return coarse_count_; }

 private:
  Buffer corners_;
  VertexArray corner_array_;
  Buffer shared_;
  Buffer indices_;
  VertexArray shared_array_;
  GLsizei count_;
  GLsizei coarse_count_ = 0;
};

/// A mesh of the user's, with the bounding sphere that ShadingMesh has.
struct PreparedMesh {
  GpuMesh gpu;
  Vec3 centre;
  double radius;
  bool is_solid;  ///< closed and wound outwards: what faces away from the viewer is hidden anyway
};

/// Prepares each mesh once, and forgets it when nobody else holds it any more.
class MeshCache {
 public:
  const PreparedMesh& get(const std::shared_ptr<const TriangleMesh>& mesh);
  void dropUnused();
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  // By owner, not by address: an address is used again, an owner is kept apart for as long as the weak
  // pointer lives. Several meshes of one owner (aliasing pointers) differ in the address.
  struct Key {
    std::weak_ptr<const TriangleMesh> owner;
    const TriangleMesh* address;
    bool operator<(const Key& other) const {
      if (owner.owner_before(other.owner)) return true;
      return !other.owner.owner_before(owner) && address < other.address;
    }
  };
  std::map<Key, PreparedMesh> entries_;
};

}  // namespace odemesh::sim::render
