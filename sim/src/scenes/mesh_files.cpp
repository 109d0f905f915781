#include "scenes/mesh_files.hpp"

#include <filesystem>
#include <odemesh/sim/mesh_file.hpp>

namespace odemesh::sim {
namespace {

std::optional<TriangleMesh> loadIfThere(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  return loadMesh(path).mesh;
}

}  // namespace

std::optional<TriangleMesh> exampleMesh(const std::string& file) {
  return loadIfThere(std::filesystem::path(ODEMESH_SOURCE_DIR) / "examples" / "meshes" / file);
}

std::optional<TriangleMesh> localMesh(const std::string& file) {
  return loadIfThere(std::filesystem::path(ODEMESH_SOURCE_DIR).parent_path() / "shared" / "meshes" / file);
}

}  // namespace odemesh::sim
