#include "contact/pair/way_bounds.hpp"

#include <algorithm>

#include "mesh/triangle_normal.hpp"
#include "separation/mesh_cast.hpp"

namespace odemesh {

namespace {

/// By so much, in units of the smaller mesh's radius, two bodies have to overlap on a line to do so for
/// certain.
constexpr double kCertain = 1e-6;

/// Of what is hollow at its centre, the middles of so many triangles are looked at, or so many vertices.
constexpr std::size_t kFewTriangles = 32, kMostVertices = 16;

/// More than half is more than this share.
constexpr double kHalf = 0.5 + 1e-9;

/// Appends the ranges of the line through `point`, seen from there, that lie in a solid.
void addPieces(const PlacedMesh& solid, const Vec3& point, const Vec3& direction, std::vector<FaceHit>& hits,
               std::vector<LengthRange>& pieces) {
  const double before = length(point - solid.centre()) + 2 * solid.mesh().sphereRadius();
  facesOnRay(solid.mesh(), solid.pose(), point - direction * before, direction, hits);
  std::ranges::sort(hits, {}, &FaceHit::t);
  for (std::size_t i = 1; i < hits.size(); ++i)
    if (hits[i - 1].enters && !hits[i].enters) pieces.push_back({hits[i - 1].t - before, hits[i].t - before});
}

/// From what length on, along `direction`, has a point been outside of a body and come through it? A centre
/// need not lie in what it is the centre of, so that where that is free, it may still be in a wall.
[[nodiscard]] double throughFrom(const PlacedMesh& body, const Vec3& point, const Vec3& direction,
                                 double limit, ContactScratch& scratch) {
  if (!body.mesh().isSolid()) {
    const auto hit = firstFaceOnRay(body.mesh(), body.pose(), point, direction, limit);
    return hit ? hit->t : kEndless;
  }
  auto& pieces = scratch.line_pieces[0];
  pieces.clear();
  addPieces(body, point, direction, scratch.line_hits, pieces);
  const auto ahead = std::ranges::find_if(pieces, [](const LengthRange& p) { return p.from > 0; });
  return ahead == pieces.end() ? kEndless : ahead->to;
}

/// Appends points spread over the surface: the middles of few triangles, by their area, or else vertices.
void addSpreadPoints(const PlacedMesh& placed, std::vector<WeightedPoint>& points) {
  const Mesh& mesh = placed.mesh();
  if (mesh.triangleCount() <= kFewTriangles) {
    for (std::uint32_t t = 0; t < mesh.triangleCount(); ++t) {
      const auto [a, b, c] = placed.triangle(t).v;
      points.push_back({(a + b + c) / 3.0, triangleArea(a, b, c)});
    }
  } else {
    const std::size_t count = std::min(mesh.vertexCount(), kMostVertices);
    for (std::size_t i = 0; i < count; ++i)
      points.push_back({placed.vertex(std::uint32_t(i * mesh.vertexCount() / count)), 1});
  }
}

/// From what length on have more than half of the middles of `side` come through the other mesh?
[[nodiscard]] double mostThroughFrom(const MeshPair& pair, int side, const Vec3& direction, double limit,
                                     ContactScratch& scratch) {
  const Vec3 way = side == 0 ? direction : -direction;
  auto& lengths = scratch.weighted_lengths;
  lengths.clear();
  double all = 0, passed = 0;
  for (const auto& [point, weight] : scratch.middles[side]) {
    lengths.emplace_back(throughFrom(pair[1 - side], point, way, limit, scratch), weight);
    all += weight;
  }
  std::ranges::sort(lengths);
  const auto most =
      std::ranges::find_if(lengths, [&](const auto& l) { return (passed += l.second) > kHalf * all; });
  return most->first;
}

}  // namespace

void findMiddles(const MeshPair& pair, ContactScratch& scratch) {
  const double radii[] = {pair[0].mesh().sphereRadius(), pair[1].mesh().sphereRadius()};
  for (int side = 0; side < 2; ++side) {
    auto& points = scratch.middles[side];
    points.clear();
    if (radii[side] > radii[1 - side]) continue;
    const Mesh& mesh = pair[side].mesh();
    if (mesh.isSolid() && mesh.innerRadius() == 0)
      addSpreadPoints(pair[side], points);
    else
      points.push_back({pair[side].centre(), 1});
  }
}

double passesFrom(const MeshPair& pair, const Vec3& direction, double limit, ContactScratch& scratch) {
  double passes_from = kEndless;
  for (int side = 0; side < 2; ++side)
    if (!scratch.middles[side].empty())
      passes_from = std::min(passes_from, mostThroughFrom(pair, side, direction, limit, scratch));
  return passes_from;
}

void addBlocked(const MeshPair& pair, const Vec3& point, const Vec3& direction, ContactScratch& scratch,
                std::vector<LengthRange>& blocked) {
  auto& [first, second] = scratch.line_pieces;
  first.clear();
  second.clear();
  addPieces(pair[0], point, direction, scratch.line_hits, first);
  addPieces(pair[1], point, direction, scratch.line_hits, second);
  const double certain = kCertain * pair.size();
  for (const LengthRange& a : first)
    for (const LengthRange& b : second) {
      const LengthRange range{b.from - a.to + certain, b.to - a.from - certain};
      if (range.to > std::max(range.from, 0.0)) blocked.push_back(range);
    }
}

bool isBlocked(const MeshPair& pair, std::span<const Vec3> points, const Vec3& direction, double length,
               WayBounds& bounds, ContactScratch& scratch) {
  for (std::size_t looked_at = 0;;) {
    for (; looked_at < bounds.blocked.size(); ++looked_at)
      if (bounds.blocked[looked_at].from < length && length < bounds.blocked[looked_at].to) return true;
    if (bounds.lines == points.size()) return false;
    addBlocked(pair, points[bounds.lines++], direction, scratch, bounds.blocked);
  }
}

}  // namespace odemesh
