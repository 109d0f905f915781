#include "contact/way_out/edge_normals.hpp"

#include <cstddef>

#include "constants.hpp"

namespace odemesh {

namespace {

/// Of a side; more are those of a curved body.
constexpr std::size_t kMostEdges = 4;

[[nodiscard]] Vec3 directionOf(const MeshPair& pair, const ContactScratch& scratch, const InsideEdge& edge) {
  const Crossing& c = scratch.crossings[edge.entry];
  const PlacedMesh& placed = pair[c.side];
  const MeshEdge& e = placed.mesh().edges()[c.edge];
  return normalised(placed.vertex(e.v[1]) - placed.vertex(e.v[0]));
}

}  // namespace

void addEdgeNormals(const MeshPair& pair, const Vec3& outwards, ContactScratch& scratch) {
  const auto& [first, second] = scratch.inside_edges;
  if (first.size() > kMostEdges || second.size() > kMostEdges || first.size() * second.size() < 2) return;
  for (const InsideEdge& a : first)
    for (const InsideEdge& b : second) {
      const Vec3 normal = cross(directionOf(pair, scratch, a), directionOf(pair, scratch, b));
      if (length(normal) < kLeastCrossing) continue;  // parallel
      scratch.directions.push_back(normalised(dot(normal, outwards) < 0 ? -normal : normal));
    }
}

}  // namespace odemesh
