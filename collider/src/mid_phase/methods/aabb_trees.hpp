// The binary tree of axis-aligned boxes, which meshes do not keep.
#pragma once

#include <odemesh/mesh.hpp>

#include "bvh/bvh.hpp"

namespace odemesh {

/// The tree over the triangles of `mesh`. O(n log n).
[[nodiscard]] Bvh binaryTree(const Mesh& mesh);

}  // namespace odemesh
