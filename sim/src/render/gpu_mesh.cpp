#include "render/gpu_mesh.hpp"

#include <cstddef>

namespace odemesh::sim::render {

namespace {

constexpr double kCreaseDegrees = 35;

}  // namespace

GpuMesh::GpuMesh(std::span<const ShadingVertex> vertices)
    : buffer_(generate<Buffer>(glGenBuffers)),
      array_(generate<VertexArray>(glGenVertexArrays)),
      count_(static_cast<GLsizei>(vertices.size())) {
  glBindVertexArray(array_.get());
  glBindBuffer(GL_ARRAY_BUFFER, buffer_.get());
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size_bytes()), vertices.data(),
               GL_STATIC_DRAW);
  setAttribute(0, 3, sizeof(ShadingVertex), offsetof(ShadingVertex, position));
  setAttribute(1, 3, sizeof(ShadingVertex), offsetof(ShadingVertex, normal));
  glBindVertexArray(0);
}

void GpuMesh::draw() const {
  glBindVertexArray(array_.get());
  glDrawArrays(GL_TRIANGLES, 0, count_);
}

const PreparedMesh& MeshCache::get(const std::shared_ptr<const TriangleMesh>& mesh) {
  const Key key{mesh, mesh.get()};
  if (const auto found = entries_.find(key); found != entries_.end()) return found->second;
  const ShadingMesh shading = shadingMesh(*mesh, kCreaseDegrees);
  return entries_.emplace(key, PreparedMesh{GpuMesh(shading.vertices), shading.centre, shading.radius})
      .first->second;
}

void MeshCache::dropUnused() {
  std::erase_if(entries_, [](const auto& entry) { return entry.first.owner.expired(); });
}

}  // namespace odemesh::sim::render
