// Faces by which closed shells are glued to each other.
#pragma once

#include <odemesh/mesh.hpp>
#include <vector>

namespace odemesh {

/// True for each triangle of a face between two shells that are glued to each other there, if both have the
/// same outline: without these, the shells are one. Empty if there is none. Reads corners, vertices and edges
/// of `mesh`. O(n log n).
[[nodiscard]] std::vector<bool> findGluedFaces(const Mesh& mesh);

}  // namespace odemesh
