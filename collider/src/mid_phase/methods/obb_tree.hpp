// A binary tree of boxes along the axes of covariance (Gottschalk, Lin and Manocha 1996; CS277).
#pragma once

#include "mid_phase/methods/volume_tree.hpp"

namespace odemesh {

struct OrientedBox {
  Mat3 axes;  ///< rows are the box's axes, of unit length
  Vec3 centre;
  Vec3 half;  ///< half the extent along each axis
  [[nodiscard]] double radius() const { return length(half); }
};

using ObbTree = VolumeTree<OrientedBox>;

/// Boxes are relative to the centre of the mesh's bounding sphere. A node is parted along the longest axis of
/// its box. O(n log n).
[[nodiscard]] ObbTree buildObbTree(const Mesh& mesh);

}  // namespace odemesh
