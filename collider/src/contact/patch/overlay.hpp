// How thick is the overlap, and where? Opposing faces of a region are seen along a direction, and laid over
// each other; each vertex of one over the other and each crossing of their sides is a candidate contact whose
// depth is the thickness there.
#pragma once

#include "contact/patch/facing.hpp"

namespace odemesh {

/// Which contacts an overlay makes, and which normal they get.
struct OverlayOptions {
  /// True: each contact's normal is the mean of its two faces' (for curved contact). False: the direction.
  bool local_normals = false;
  /// Faces farther apart than both this and the extent of `scratch.points` bound no overlap. What sticks
  /// right through the other body reaches farther than the points where it crosses.
  double reach = 0;
  /// With local normals, only those that are nearest to this one of `scratch.clusters` count.
  std::size_t cluster = 0;
};

/// Appends to `scratch.candidates` the corners of what faces that face each other share, within the extent
/// of the region. Corners are kept down to a depth of minus twice the inflation, so that a face that rocks on
/// another keeps its corners; the caller decides whether the patch touches at all. O(n log n + overlaps).
void overlayFaces(const MeshPair& pair, const Facing& facing, const OverlayOptions& options,
                  ContactScratch& scratch);

}  // namespace odemesh
