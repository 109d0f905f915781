// Contacts as arrows: a ball at the point, a shaft and a tip along the normal.
#pragma once

#include <odemesh/sim/render/snapshot.hpp>

#include "render/gpu_mesh.hpp"

namespace odemesh::sim::render {

/// Draws all contacts of a snapshot in one call.
class ContactArrows {
 public:
  ContactArrows();

  /// Uploads the contacts that are finite, relative to `origin`; `reference_depth` as in RenderOptions.
  /// Returns the number of bytes.
  std::size_t upload(const std::vector<DrawnContact>& contacts, const Vec3& origin, double reference_depth);
  void draw() const;

 private:
  GpuMesh arrow_;
  Buffer instances_;
  GLsizei count_ = 0;
};

}  // namespace odemesh::sim::render
