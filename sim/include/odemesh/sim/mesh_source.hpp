// Meshes by name: a file, or a generated shape.
#pragma once

#include <odemesh/sim/mesh_file.hpp>
#include <string>
#include <string_view>

namespace odemesh::sim {

/// What `loadMeshSource` says about shapes in a usage text.
[[nodiscard]] std::string_view shapeHelp();

/// "shape:NAME" or "shape:NAME:COUNTS" gives a generated shape of 1 m across, times options.scale; anything
/// else is a file for `loadMesh`. COUNTS are one or two whole numbers, as in "shape:sphere:32x16". Throws
/// InputError that lists what there is for an unknown shape or bad counts.
[[nodiscard]] LoadedMesh loadMeshSource(const std::string& source, const LoadOptions& options = {});

}  // namespace odemesh::sim
