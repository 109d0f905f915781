// A look at a mesh file before Assimp reads it, for what Assimp accepts in silence, crashes on or explains
// badly.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace odemesh::sim {

/// Throws InputError if `path` is not a file of a sensible size, has an `extension` (lower case, without the
/// dot) that is not supported, or promises more elements than its size has room for. Returns warnings.
std::vector<std::string> preflight(const std::filesystem::path& path, const std::string& extension);

/// Throws InputError if `path`, a regular file of any size, is no .glb or shorter than it says.
void requireWholeGlb(const std::filesystem::path& path);

}  // namespace odemesh::sim
