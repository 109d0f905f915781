// An octree over the triangles of a mesh (Nathan, CS277). Cubes are cut into eight; a triangle belongs to the
// cube that holds its centroid, and a cube is loosened by as much as its triangles stick out of it, so that
// every triangle has one place and no pair is met twice.
#pragma once

#include "mid_phase/methods/volume_tree.hpp"

namespace odemesh {

struct LooseCube {
  Vec3 centre;
  double half = 0;  ///< half the width, loosened
  [[nodiscard]] double radius() const { return half * 1.7320508075688774; }
};

using Octree = VolumeTree<LooseCube>;

/// Cubes are relative to the centre of the mesh's bounding sphere; empty ones are left out. O(n log n).
[[nodiscard]] Octree buildOctree(const Mesh& mesh);

}  // namespace odemesh
