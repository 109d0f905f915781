// The edges of two meshes that pass through faces of the other one.
#pragma once

#include <odemesh/penetration.hpp>
#include <vector>

#include "contact/placed_mesh.hpp"

namespace odemesh {

/// Edge `edge` of one mesh passes through triangle `face` of the other.
struct EdgeCrossing {
  std::uint32_t edge;
  std::uint32_t face;
  double along;  ///< place on the edge, 0 at its vertex v[0] and 1 at v[1]
  bool inward;   ///< from v[0] to v[1] it goes from the outer side of the face to the inner one
  Vec3 point;    ///< in the frame of the pair
};

/// Crossings of edges of each mesh, sorted by edge and by place on the edge. An edge that passes exactly
/// through an edge or vertex crosses one of the faces there, as if mesh 2 were shifted
/// by a tiny amount; `along` includes that shift, `point` does not.
struct EdgeCrossings {
  std::vector<EdgeCrossing> of[2];
};

[[nodiscard]] EdgeCrossings findEdgeCrossings(const MeshPair& pair, CrossingSearch search, QueryStats& stats);

}  // namespace odemesh
