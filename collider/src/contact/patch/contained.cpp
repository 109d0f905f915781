#include "contact/patch/contained.hpp"

#include <algorithm>
#include <limits>

#include "constants.hpp"
#include "contact/way_out/direction.hpp"
#include "contact/way_out/way_out.hpp"

namespace odemesh {

namespace {

void addCandidate(int inner, const Vec3& position, const Vec3& normal, double depth,
                  ContactScratch& scratch) {
  std::uint32_t face[2] = {0, 0};
  face[inner] = scratch.faces[inner].front().face;
  scratch.candidates.push_back({position, normal, depth, {face[0], face[1]}});
}

}  // namespace

Vec3 addContained(const MeshPair& pair, ContactScratch& scratch) {
  const int inner = scratch.points[0].empty() ? 1 : 0;
  if (scratch.points[inner].empty()) return {0, 0, 1};  // nothing but vertices in the middle of flat parts
  const PlacedMesh& outer = pair[1 - inner];
  auto& surface = scratch.points[1 - inner];
  if (outer.mesh().isConvex())
    for (std::uint32_t v = 0; v < outer.mesh().vertexCount(); ++v) surface.push_back(outer.vertex(v));
  const Separation separation = findExit(pair, inner, scratch);
  ++scratch.contained;

  const Vec3 outwards = inner == 0 ? separation.direction : -separation.direction;
  double level = -std::numeric_limits<double>::infinity();
  for (const Vec3& p : surface) level = std::max(level, dot(outwards, p));
  const auto& points = scratch.points[inner];
  const std::size_t stride = surface.empty() ? points.size() / kMostProbes + 1 : 1;
  for (std::size_t i = 0; i < points.size(); i += stride) {
    const Vec3& p = points[i];
    const double depth = surface.empty() ? wayOut(pair, inner, p, outwards) : level - dot(outwards, p);
    if (depth >= 0.5 * separation.depth)
      addCandidate(inner, p + outwards * (0.5 * depth), separation.direction, depth, scratch);
  }
  return separation.direction;
}

}  // namespace odemesh
