// A binary tree of spheres (Quinlan 1994), as CS277 builds it, with Nathan's centroid sphere at the leaves:
// the circumsphere that CS277 prints is larger for every obtuse triangle, and has no bound for slivers.
#pragma once

#include "mid_phase/methods/volume_tree.hpp"

namespace odemesh {

struct BoundingSphere {
  Vec3 centre;
  double r = 0;
  [[nodiscard]] double radius() const { return r; }
};

using SphereTree = VolumeTree<BoundingSphere>;

/// Spheres are relative to the centre of the mesh's bounding sphere. O(n log n).
[[nodiscard]] SphereTree buildSphereTree(const Mesh& mesh);

/// The smallest sphere around two (CS277).
[[nodiscard]] BoundingSphere enclose(const BoundingSphere& a, const BoundingSphere& b);

}  // namespace odemesh
