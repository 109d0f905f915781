// The bounding volumes of a mesh, to look at.
#pragma once

#include <odemesh/export.h>

#include <cstddef>
#include <odemesh/mesh.hpp>
#include <vector>

namespace odemesh {

/// An axis-aligned box in the frame of its mesh.
struct BoundingBox {
  Vec3 low;   ///< the least coordinates
  Vec3 high;  ///< the greatest
};

/// The boxes of the mesh's tree that are `level` steps below its root, and those of leaves that are nearer to
/// it, so that at every level all triangles are covered: one box at level 0, at most 8^level. Linear in the
/// number of boxes.
[[nodiscard]] ODEMESH_API std::vector<BoundingBox> boundingBoxes(const Mesh& mesh, std::size_t level);

}  // namespace odemesh
