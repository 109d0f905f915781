#include "contact/pair/way_bounds.hpp"

#include <algorithm>

#include "separation/mesh_cast.hpp"

namespace odemesh {

namespace {

/// By so much, in units of the smaller mesh's radius, two bodies have to overlap on a line to do so for
/// certain.
constexpr double kCertain = 1e-6;

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

}  // namespace

double passesFrom(const MeshPair& pair, const Vec3& direction, double limit, ContactScratch& scratch) {
  const double radii[] = {pair[0].mesh().sphereRadius(), pair[1].mesh().sphereRadius()};
  double from = kEndless;
  for (int side = 0; side < 2; ++side)
    if (radii[side] <= radii[1 - side])
      from = std::min(from, throughFrom(pair[1 - side], pair[side].centre(),
                                        side == 0 ? direction : -direction, limit, scratch));
  return from;
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
