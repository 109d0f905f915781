// Which triangles are wound against their neighbours.
#pragma once

#include <odemesh/mesh.hpp>
#include <vector>

namespace odemesh {

/// How to wind a surface in one sense.
struct Orientation {
  std::vector<bool> turned;   ///< by triangle: its corners are to be taken the other way round
  bool is_one_sided = false;  ///< a piece has no two sides, as a Moebius strip; it is left as it is
};

/// Looks at pieces connected by edges with two triangles each. One that is wound in one sense stays as it is;
/// any other gets the winding that most of its area has, or if that is unclear and it wraps a volume, the one
/// that turns its outside out. Reads corners, vertices and edges of `mesh`. O(n).
[[nodiscard]] Orientation findOrientation(const Mesh& mesh);

}  // namespace odemesh
