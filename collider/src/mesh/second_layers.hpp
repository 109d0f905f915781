// Sheets that are given from both sides.
#pragma once

#include <odemesh/mesh.hpp>
#include <span>
#include <vector>

namespace odemesh {

/// True for the triangles of one of two layers that lie on each other, in pieces with a rim that consist of
/// two triangles on each place with the same corners and opposite windings, and in those that are closed and
/// lie in one plane. Without these, such a piece is the sheet given once, wound in one sense where that can
/// be done. Empty if there is none. Reads corners, vertices and edges of `mesh`, in which no triangle may be
/// given twice with the same winding. `normals` are those of its triangles. O(n), and O(n log n) where the
/// surface folds back.
[[nodiscard]] std::vector<bool> findSecondLayers(const Mesh& mesh, std::span<const Vec3> normals);

}  // namespace odemesh
