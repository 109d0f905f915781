#include "raw_mesh.hpp"

#include <array>
#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace odemesh::sim {
namespace {

template <class T>
void append(std::string& out, const T* first, std::size_t count) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (count > 0) out.append(reinterpret_cast<const char*>(first), count * sizeof(T));
}

template <class T>
void take(std::string_view& bytes, T* first, std::size_t count) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (count > bytes.size() / sizeof(T)) throw std::length_error("a packed mesh is too short");
  if (count > 0) std::memcpy(first, bytes.data(), count * sizeof(T));
  bytes.remove_prefix(count * sizeof(T));
}

using Sizes = std::array<std::size_t, 3>;

}  // namespace

std::string packed(const RawMesh& raw) {
  const auto& [name, vertices, triangles] = raw.mesh;
  const Sizes sizes = {raw.points_and_lines, vertices.size(), triangles.size()};
  std::string out;
  out.reserve(sizeof sizes + vertices.size() * sizeof vertices[0] + triangles.size() * sizeof triangles[0]);
  append(out, sizes.data(), sizes.size());
  append(out, vertices.data(), vertices.size());
  append(out, triangles.data(), triangles.size());
  return out;
}

RawMesh unpacked(std::string_view bytes) {
  Sizes sizes{};
  take(bytes, sizes.data(), sizes.size());
  RawMesh out;
  out.points_and_lines = sizes[0];
  out.mesh.vertices.resize(sizes[1]);
  take(bytes, out.mesh.vertices.data(), sizes[1]);
  out.mesh.triangles.resize(sizes[2]);
  take(bytes, out.mesh.triangles.data(), sizes[2]);
  return out;
}

}  // namespace odemesh::sim
