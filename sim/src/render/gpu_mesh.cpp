#include "render/gpu_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/mesh_check.hpp>
#include <tuple>
#include <vector>

namespace odemesh::sim::render {

namespace {

constexpr double kCreaseDegrees = 35;

// Meshes to draw may have faults that none to simulate may have.
bool isSolid(const TriangleMesh& mesh) {
  try {
    requireUsable(mesh);
  } catch (const InputError&) {
    return false;
  }
  const TriangleMesh whole = welded(mesh);
  if (!countEdges(whole).isWatertight()) return false;
  const Vec3& origin = whole.vertices[0];
  double volume = 0;
  for (const auto& t : whole.triangles)
    volume += dot(whole.vertices[t[0]] - origin,
                  cross(whole.vertices[t[1]] - origin, whole.vertices[t[2]] - origin));
  return volume > 0;
}

/// Vertices without repetition, and the index of each corner among them.
struct SharedVertices {
  std::vector<ShadingVertex> vertices;
  std::vector<GLuint> indices;
};

SharedVertices shareAlike(std::span<const ShadingVertex> corners) {
  const auto less = [&](GLuint a, GLuint b) {
    const auto key = [&](GLuint i) {
      const auto& [p, n] = corners[i];
      return std::tie(p[0], p[1], p[2], n[0], n[1], n[2]);
    };
    return key(a) < key(b);
  };
  std::vector<GLuint> order(corners.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), less);
  // The first of each kind stands for it, and keeps its place: neighbours stay near each other in memory.
  std::vector<GLuint> first(corners.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    first[order[i]] = i > 0 && !less(order[i - 1], order[i]) ? first[order[i - 1]] : order[i];
  SharedVertices out;
  std::vector<GLuint> number(corners.size());
  for (GLuint c = 0; c < corners.size(); ++c) {
    if (first[c] == c) {
      number[c] = static_cast<GLuint>(out.vertices.size());
      out.vertices.push_back(corners[c]);
    }
    out.indices.push_back(number[first[c]]);
  }
  return out;
}

/// The triangles between clusters of vertices, each of which is drawn to the first of its vertices (Rossignac
/// and Borrel 1993). All of them where that saves too little.
std::vector<GLuint> coarseIndices(const SharedVertices& mesh) {
  constexpr float kCellsPerRadius = 3;
  float radius = 0;
  for (const ShadingVertex& v : mesh.vertices)
    radius = std::max(radius, std::hypot(v.position[0], v.position[1], v.position[2]));
  if (!(radius > 0)) return mesh.indices;
  std::map<std::array<int, 3>, GLuint> clusters;
  std::vector<GLuint> first(mesh.vertices.size());
  for (GLuint v = 0; v < first.size(); ++v) {
    std::array<int, 3> cell{};
    for (int i = 0; i < 3; ++i)
      cell[i] = static_cast<int>(std::floor(mesh.vertices[v].position[i] / radius * kCellsPerRadius));
    first[v] = clusters.try_emplace(cell, v).first->second;
  }
  std::vector<GLuint> out;
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    const GLuint a = first[mesh.indices[i]];
    const GLuint b = first[mesh.indices[i + 1]];
    const GLuint c = first[mesh.indices[i + 2]];
    if (a != b && b != c && c != a) out.insert(out.end(), {a, b, c});
  }
  return 2 * out.size() < mesh.indices.size() ? out : mesh.indices;
}

// Into the buffer and the vertex array, which stays bound.
void upload(GLuint buffer, GLuint array, std::span<const ShadingVertex> vertices) {
  glBindVertexArray(array);
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size_bytes()), vertices.data(),
               GL_STATIC_DRAW);
  setAttribute(0, 3, sizeof(ShadingVertex), offsetof(ShadingVertex, position));
  setAttribute(1, 3, sizeof(ShadingVertex), offsetof(ShadingVertex, normal));
}

}  // namespace

GpuMesh::GpuMesh(std::span<const ShadingVertex> vertices)
    : corners_(generate<Buffer>(glGenBuffers)),
      corner_array_(generate<VertexArray>(glGenVertexArrays)),
      shared_(generate<Buffer>(glGenBuffers)),
      indices_(generate<Buffer>(glGenBuffers)),
      shared_array_(generate<VertexArray>(glGenVertexArrays)),
      count_(static_cast<GLsizei>(vertices.size())) {
  upload(corners_.get(), corner_array_.get(), vertices);
  SharedVertices shared = shareAlike(vertices);
  upload(shared_.get(), shared_array_.get(), shared.vertices);
  const std::vector<GLuint> coarse = coarseIndices(shared);
  coarse_count_ = static_cast<GLsizei>(coarse.size());
  shared.indices.insert(shared.indices.end(), coarse.begin(), coarse.end());
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.get());
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(shared.indices.size() * sizeof(GLuint)),
               shared.indices.data(), GL_STATIC_DRAW);
  glBindVertexArray(0);
}

void GpuMesh::draw(const InstanceBuffer& instances, std::size_t first, std::size_t count) const {
  glBindVertexArray(shared_array_.get());
  instances.attach(first);
  glDrawElementsInstanced(GL_TRIANGLES, count_, GL_UNSIGNED_INT, nullptr, static_cast<GLsizei>(count));
}

void GpuMesh::drawCoarse(const InstanceBuffer& instances, std::size_t first, std::size_t count) const {
  glBindVertexArray(shared_array_.get());
  instances.attach(first);
  // OpenGL takes the offset as a pointer. NOLINTNEXTLINE(performance-no-int-to-ptr)
  const void* start = reinterpret_cast<const void*>(static_cast<std::size_t>(count_) * sizeof(GLuint));
  glDrawElementsInstanced(GL_TRIANGLES, coarse_count_, GL_UNSIGNED_INT, start, static_cast<GLsizei>(count));
}

void GpuMesh::drawCorners(const InstanceBuffer& instances, std::size_t first, std::size_t count) const {
  glBindVertexArray(corner_array_.get());
  instances.attach(first);
  glDrawArraysInstanced(GL_TRIANGLES, 0, count_, static_cast<GLsizei>(count));
}

const PreparedMesh& MeshCache::get(const std::shared_ptr<const TriangleMesh>& mesh) {
  const Key key{mesh, mesh.get()};
  if (const auto found = entries_.find(key); found != entries_.end()) return found->second;
  const ShadingMesh shading = shadingMesh(*mesh, kCreaseDegrees);
  return entries_
      .emplace(key, PreparedMesh{GpuMesh(shading.vertices), shading.centre, shading.radius, isSolid(*mesh)})
      .first->second;
}

void MeshCache::dropUnused() {
  std::erase_if(entries_, [](const auto& entry) { return entry.first.owner.expired(); });
}

}  // namespace odemesh::sim::render
