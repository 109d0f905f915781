// Closed surfaces without two sides, as a Klein bottle is one.
#pragma once

#include <odemesh/mesh.hpp>

#include "mesh/touching_shells.hpp"

namespace odemesh {

/// The same surface, wound in one sense but across a seam, along which it is cut: a sheet with borders that
/// lie on each other, on which each place has two sides. For a mesh in which every edge has two triangles.
/// Reads its corners, vertices and edges. O(n).
[[nodiscard]] PartedShells cutOneSided(const Mesh& mesh);

}  // namespace odemesh
