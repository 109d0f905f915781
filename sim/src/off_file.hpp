// OFF files, read here: Assimp takes the last vertex for one that does not exist, and crashes on counts and
// coordinates that are not numbers.
#pragma once

#include <filesystem>

#include "raw_mesh.hpp"

namespace odemesh::sim {

/// Reads the text form of OFF (Geomview's): a keyword that ends with "OFF", which may be missing parts before
/// it (C, N, ST; four coordinates and other dimensions are refused); the counts on the same line or the next;
/// a line for each vertex and each face. What stands on a line behind the coordinates or corners is passed
/// over, as are empty lines and comments. Throws InputError that names the file and the vertex or face:
/// counts the file has no room for, coordinates that are not finite numbers, corners that do not exist, an
/// early end. O(size of the file), and what appendPolygon takes.
[[nodiscard]] RawMesh readOff(const std::filesystem::path& path);

}  // namespace odemesh::sim
