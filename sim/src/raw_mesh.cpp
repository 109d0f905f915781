#include "raw_mesh.hpp"

#include "bytes.hpp"

namespace odemesh::sim {

std::string packed(const RawMesh& raw) {
  const auto& [name, vertices, triangles] = raw.mesh;
  ByteWriter out;
  out.reserve(3 * sizeof(std::size_t) + sizeof(double) + vertices.size() * sizeof vertices[0] +
              triangles.size() * sizeof triangles[0]);
  out.put(raw.points_and_lines);
  out.put(raw.rounding);
  out.put(vertices.size());
  out.putArray(std::span(vertices));
  out.put(triangles.size());
  out.putArray(std::span(triangles));
  return out.take();
}

RawMesh unpacked(std::string_view bytes) {
  ByteReader in(bytes);
  RawMesh out;
  auto& [name, vertices, triangles] = out.mesh;
  in.take(out.points_and_lines);
  in.take(out.rounding);
  vertices.resize(in.takeCount(sizeof vertices[0]));
  in.takeArray(std::span(vertices));
  triangles.resize(in.takeCount(sizeof triangles[0]));
  in.takeArray(std::span(triangles));
  return out;
}

}  // namespace odemesh::sim
