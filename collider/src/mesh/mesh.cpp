#include <mutex>
#include <odemesh/mesh.hpp>

#include "bvh/wide_tree.hpp"
#include "mesh/mesh_builder.hpp"
#include "mesh/part_index.hpp"
#include "mesh/probe.hpp"
#include "mesh/triangle_normal.hpp"
#include "mesh/vertex_groups.hpp"

namespace odemesh {

namespace {
template <typename T>
[[nodiscard]] std::size_t bytesOf(const std::vector<T>& v) {
  return v.capacity() * sizeof(T);
}
}  // namespace

Mesh::Mesh() = default;
Mesh::~Mesh() = default;

Mesh::Built Mesh::build(std::span<const Vec3> vertices, std::span<const std::uint32_t> indices,
                        FlatParts flat_parts) {
  return MeshBuilder::build(vertices, indices, flat_parts);
}

std::uint32_t Mesh::inputTriangleAt(std::size_t t, const Vec3& point) const {
  return part_index_ && part_index_->holds(t) ? part_index_->at(t, point) : inputTriangle(t);
}

Vec3 Mesh::normal(std::size_t t) const {
  return triangleNormal(vertex(t, 0), vertex(t, 1), vertex(t, 2));
}

const Probe* Mesh::findProbe() const {
  if (triangleCount() < Probe::kFewTriangles) return nullptr;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (!probe_) {
    probe_ = std::make_unique<const Probe>(*this);
    has_probe_.store(true);
  }
  return probe_.get();
}

std::size_t Mesh::memoryBytes() const {
  return sizeof(Mesh) + bytesOf(vertices_) + bytesOf(vertex_normals_) + bytesOf(vertex_kinds_) +
         bytesOf(corners_) + bytesOf(triangle_edges_) + bytesOf(input_triangle_) + bytesOf(edges_) +
         bytesOf(edge_begin_) + bytesOf(higher_end_) + bytesOf(lower_end_begin_) + bytesOf(lower_end_) +
         bytesOf(component_of_) + bytesOf(component_vertex_) + wide_tree_->memoryBytes() +
         (has_probe_.load() ? sizeof(Probe) : 0) + (vertex_groups_ ? vertex_groups_->memoryBytes() : 0) +
         (part_index_ ? part_index_->memoryBytes() : 0);
}

std::string MeshProblem::text() const {
  const std::string n = std::to_string(element);
  switch (kind) {
    case Kind::kNoTriangles:
      return "no usable triangle among " + n + ": check the vertices and indices";
    case Kind::kTooManyTriangles:
      return n + " triangles or vertices: split the mesh below 2^30 of each";
    case Kind::kIndexCount:
      return n + " indices: give three for each triangle";
    case Kind::kIndexOutOfRange:
      return "triangle " + n + " names a vertex that does not exist and is left out: check its indices";
    case Kind::kVertexNotFinite:
      return "triangle " + n + " has a NaN or infinite coordinate and is left out: check its vertices";
    case Kind::kVertexTooLarge:
      return "triangle " + n + " has a coordinate beyond 1e100 and is left out: choose a larger unit";
    case Kind::kZeroArea:
      return "triangle " + n + " has no area and is left out: remove it or move a corner";
  }
  return "unknown problem with element " + n;
}

}  // namespace odemesh
