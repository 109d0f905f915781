// Lines and triangles laid over a picture, in buffers of their own.
#pragma once

#include <odemesh/sim/render/snapshot.hpp>

#include "render/gl_objects.hpp"

namespace odemesh::sim::render {

/// Draws all lines and triangles of a snapshot in two calls.
class OverlayShapes {
 public:
  OverlayShapes();

  /// Uploads what is finite, relative to `origin`. Returns the number of bytes.
  std::size_t upload(const Snapshot& snapshot, const Vec3& origin);
  [[nodiscard]] bool empty() const { return triangle_vertices_ + line_vertices_ == 0; }
  void draw() const;

 private:
  VertexArray array_;
  Buffer vertices_;
  GLsizei triangle_vertices_ = 0;  ///< first in the buffer
  GLsizei line_vertices_ = 0;
};

}  // namespace odemesh::sim::render
