// Mesh files that scenes use where they are present.
#pragma once

#include <odemesh/sim/triangle_mesh.hpp>
#include <optional>
#include <string>

namespace odemesh::sim {

/// A mesh that comes with the project, by its file name; empty if it is not there.
[[nodiscard]] std::optional<TriangleMesh> exampleMesh(const std::string& file);

/// A mesh for local tests only, from the folder shared/meshes beside the repository.
[[nodiscard]] std::optional<TriangleMesh> localMesh(const std::string& file);

}  // namespace odemesh::sim
