#include "contact/way_out/crossed_edges.hpp"

#include <algorithm>

#include "constants.hpp"
#include "separation/mesh_cast.hpp"

namespace odemesh {

namespace {

struct Segment {
  Vec3 begin, along;
};

[[nodiscard]] Segment segmentOf(const PlacedMesh& placed, std::uint32_t edge) {
  const MeshEdge& e = placed.mesh().edges()[edge];
  const Vec3 begin = placed.vertex(e.v[0]);
  return {begin, placed.vertex(e.v[1]) - begin};
}

/// The edge that two faces share; Mesh::kNone if there is none.
[[nodiscard]] std::uint32_t sharedEdge(const Mesh& mesh, std::uint32_t a, std::uint32_t b) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (const std::uint32_t e = mesh.edgeOf(a, i); e == mesh.edgeOf(b, j)) return e;
  return Mesh::kNone;
}

/// When does `place`, which changes by `rate`, leave the range from 0 to 1? At once if it is not in there.
[[nodiscard]] double leavesRangeAt(double place, double rate) {
  if (!(place > 0 && place < 1)) return 0;
  return rate == 0 ? kEndless : ((rate > 0 ? 1 : 0) - place) / rate;
}

}  // namespace

double crossedEdgesExit(const MeshPair& pair, const ContactScratch& scratch, const InsideEdge& edge,
                        const Vec3& way, const Vec3& leaves_by) {
  const Crossing& in = scratch.crossings[edge.entry];
  const Crossing& out = scratch.crossings[in.partner];
  const PlacedMesh& other = pair[1 - in.side];
  const Vec3 faces[2] = {other.normal(in.face), other.normal(out.face)};
  const auto isLeft = [&](const Vec3& face) { return dot(face, leaves_by) > kSameDirectionCosine; };
  if (!isLeft(faces[0]) && !isLeft(faces[1])) return 0;
  const std::uint32_t passed = sharedEdge(other.mesh(), in.face, out.face);
  if (passed == Mesh::kNone) return 0;
  const Segment a = segmentOf(pair[in.side], in.edge), b = segmentOf(other, passed);
  const Vec3 normal = cross(a.along, b.along);
  const double normal_sq = lengthSq(normal);
  if (normal_sq <= kLeastCrossing * kLeastCrossing * lengthSq(a.along) * lengthSq(b.along)) return 0;

  // Both in units of `normal`, which may point either way.
  const Vec3 between = b.begin - a.begin;
  const double gap = dot(between, normal), speed = dot(way, normal);
  const double outwards = dot(faces[0] + faces[1], normal);
  if (gap * outwards <= 0) return 0;
  const double passes = gap * speed > 0 ? gap / speed : kEndless;

  // Where along each edge it meets the other one, seen along the normal, and how that changes.
  const Vec3 over_a = cross(b.along, normal) / normal_sq, over_b = cross(a.along, normal) / normal_sq;
  return std::min({passes, leavesRangeAt(dot(between, over_a), -dot(way, over_a)),
                   leavesRangeAt(dot(between, over_b), -dot(way, over_b))});
}

}  // namespace odemesh
