// What the files of this folder share: measures of a motion, and the part of a mesh that lies in a box.
#pragma once

#include <odemesh/motion.hpp>

#include "bvh/aabb.hpp"
#include "bvh/wide_walk.hpp"

namespace odemesh {

/// The rotation about `turn` by its length in radians (Rodrigues).
[[nodiscard]] Mat3 rotationBy(const Vec3& turn);

/// The radius of the sphere with the same ratio of volume to area; for sheets a share of their radius.
[[nodiscard]] double thicknessOf(const Mesh& mesh);

/// A length that no point of the mesh exceeds on its way within `dt`.
[[nodiscard]] double greatestMotion(const Mesh& mesh, const Motion& motion, double dt);

/// Calls `on_triangle(t)` for the triangles in leaves of the tree that meet `box`, in the mesh's frame.
template <class OnTriangle>
void forEachTriangleNear(const Mesh& mesh, const Aabb& box, OnTriangle&& on_triangle) {
  const WideTree& tree = mesh.wideTree();
  const Vec3 lo = (box.lo - tree.origin()) / tree.scale(), hi = (box.hi - tree.origin()) / tree.scale();
  walk(
      tree,
      [&](const WideBox& b) {
        const Vec3 low = b.low(), high = b.high();
        for (int axis = 0; axis < 3; ++axis)
          if (!(low[axis] <= hi[axis] && high[axis] >= lo[axis])) return false;
        return true;
      },
      on_triangle);
}

}  // namespace odemesh
