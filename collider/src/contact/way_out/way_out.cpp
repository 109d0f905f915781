#include "contact/way_out/way_out.hpp"

#include <algorithm>
#include <cmath>
#include <odemesh/distance.hpp>
#include <tuple>
#include <vector>

#include "contact/way_out/crossed_edges.hpp"

namespace odemesh {

namespace {

/// The ends of an edge inside are looked at this share of the way to its middle further in.
constexpr double kEndInset = 1e-3;

/// A way leads along a sheet if its cosine with the sheet's normal is less than this.
constexpr double kAlongSheet = 0.05;

/// What is past a border lies on the plane of the face there: the sine by which it may rise off that.
constexpr double kLevelSine = 0.5;

/// What a ray meets of a solid of several pieces. Not inline: else the compiler looks the thread's variable
/// up anew wherever it is used.
[[nodiscard, gnu::noinline]] std::vector<FaceHit>& threadHits() {
  static thread_local std::vector<FaceHit> hits;
  return hits;
}

/// The face by which a ray that begins inside a solid of several pieces leaves the last of those that it is
/// in. Pieces that are no more than `gap` apart along the ray count as touching.
[[nodiscard]] std::optional<FaceHit> lastFaceOnRay(const PlacedMesh& body, const Vec3& start, const Vec3& way,
                                                   double gap) {
  std::vector<FaceHit>& hits = threadHits();
  facesOnRay(body.mesh(), body.pose(), start, way, hits);
  const auto enters = [](const FaceHit& h) { return h.enters; };
  const auto pieceOf = [&](const FaceHit& h) {
    return body.mesh().componentOf(body.mesh().corners(h.face)[0]);
  };
  const auto key = [&](const FaceHit& h) {
    return std::tuple(enters(h) ? h.t - gap : h.t, pieceOf(h), enters(h), h.face);
  };
  std::ranges::sort(hits, {}, key);
  // Both faces at an edge are met at the same place.
  const auto last = std::unique(hits.begin(), hits.end(), [&](const FaceHit& a, const FaceHit& b) {
    return pieceOf(a) == pieceOf(b) && enters(a) == enters(b) && b.t - a.t < gap;
  });
  hits.erase(last, hits.end());
  std::ptrdiff_t inside = std::ssize(hits) - 2 * std::ranges::count_if(hits, enters);
  if (inside <= 0) return std::nullopt;
  for (const FaceHit& h : hits)
    if ((inside += enters(h) ? 1 : -1) == 0) return h;
  return std::nullopt;
}

/// Is a point that lies about level with a sheet past its border, and not behind one of its walls?
[[nodiscard]] bool isPastBorder(const PlacedMesh& sheet, const Vec3& point) {
  const auto nearest = closestPoint(sheet.mesh(), sheet.pose(), point);
  return nearest && std::abs(dot(nearest->normal, point - nearest->point)) <= kLevelSine * nearest->distance;
}

/// The way out of a point that does not leave by a face. Behind a sheet, it leads nowhere, unless it passes
/// the border: then it ends where the sheet, if it went on straight, would lie.
[[nodiscard]] double wayOutWithoutFace(const MeshPair& pair, int side, const Vec3& point, const Vec3& way,
                                       const ContactScratch& scratch) {
  const PlacedMesh& other = pair[1 - side];
  if (other.mesh().isSolid() || scratch.meets_border[1 - side]) return 0;
  const Vec3 normal = normalised(scratch.contour_area), out = side == 0 ? normal : -normal;
  const double share = dot(way, out);
  if (share <= kAlongSheet) return kEndless;
  const double level = std::max(dot(scratch.contour_middle - point, out) / share, 0.0);
  return isPastBorder(other, point + way * level) ? level : kEndless;
}

}  // namespace

std::optional<FaceHit> leavesAt(const PlacedMesh& body, const Vec3& point, const Vec3& way, double lead,
                                double most) {
  const Vec3 start = point - way * lead;
  const bool has_pieces = body.mesh().isSolid() && body.mesh().componentVertices().size() > 1;
  auto hit = has_pieces ? lastFaceOnRay(body, start, way, lead)
                        : firstFaceOnRay(body.mesh(), body.pose(), start, way, most + lead);
  if (!hit || (body.mesh().isSolid() && hit->enters)) return std::nullopt;
  hit->t -= lead;
  return hit;
}

std::optional<FaceHit> exitFace(const MeshPair& pair, int side, const Vec3& point, const Vec3& way,
                                double most) {
  auto hit = leavesAt(pair[1 - side], point, way, pair.tolerances().slack, most);
  if (hit) hit->t = std::max(hit->t, 0.0);
  return hit;
}

double wayOut(const MeshPair& pair, int side, const Vec3& point, const Vec3& way) {
  const auto hit = exitFace(pair, side, point, way);
  return hit ? hit->t : 0.0;
}

double wayOutPast(const MeshPair& pair, int side, const Vec3& point, const Vec3& way,
                  ContactScratch& scratch) {
  return scratch.ways_out.lengthOf(side, point, way, [&] {
    const auto hit = exitFace(pair, side, point, way);
    return hit ? hit->t : wayOutWithoutFace(pair, side, point, way, scratch);
  });
}

double wayOutPast(const MeshPair& pair, int side, const InsideEdge& edge, const Vec3& way,
                  ContactScratch& scratch) {
  return scratch.ways_out.lengthOf(side, edge.middle, way, [&] {
    const auto hit = exitFace(pair, side, edge.middle, way);
    if (!hit) return wayOutWithoutFace(pair, side, edge.middle, way, scratch);
    const PlacedMesh& other = pair[1 - side];
    return other.mesh().isSolid()
               ? std::max(hit->t, crossedEdgesExit(pair, scratch, edge, way, other.normal(hit->face)))
               : hit->t;
  });
}

PointOnWay wayOutOfFarEnd(const MeshPair& pair, int side, const InsideEdge& edge, const Vec3& way,
                          const ContactScratch& scratch) {
  const PlacedMesh& other = pair[1 - side];
  const auto hit = exitFace(pair, side, edge.middle, way);
  if (!hit) return {edge.middle, 0};
  const Crossing& in = scratch.crossings[edge.entry];
  const Crossing& out = scratch.crossings[in.partner];
  const auto isLeft = [&](const Crossing& c) {
    return dot(other.normal(c.face), other.normal(hit->face)) > kSameDirectionCosine;
  };
  if (isLeft(in) == isLeft(out)) return {edge.middle, 0};
  const Vec3 far_end = (isLeft(in) ? out : in).point, normal = other.normal(hit->face);
  const double exit = wayOut(pair, side, far_end + (edge.middle - far_end) * kEndInset, way);
  const double off_face = dot(normal, other.corner(hit->face, 0) - far_end) / dot(normal, way);
  return {far_end, std::min(exit, std::max(off_face, 0.0))};
}

double wayOutOfThroughEdge(const MeshPair& pair, int side, const InsideEdge& edge, const Vec3& way,
                           const ContactScratch& scratch) {
  const PlacedMesh &own = pair[side], &other = pair[1 - side];
  const Crossing& in = scratch.crossings[edge.entry];
  const Vec3 in_normal = other.normal(in.face);
  if (dot(in_normal, other.normal(scratch.crossings[in.partner].face)) > -kSameDirectionCosine) return 0;
  const auto hit = exitFace(pair, side, edge.middle, way);
  if (!hit) return 0;
  const Vec3 normal = other.normal(hit->face);
  if (std::abs(dot(normal, in_normal)) < kSameDirectionCosine) return 0;
  const auto heightOf = [&](std::uint32_t v) {
    return dot(normal, own.vertex(v) - other.corner(hit->face, 0));
  };
  const MeshEdge ends = own.mesh().edges()[in.edge];
  return -std::min(heightOf(ends.v[0]), heightOf(ends.v[1])) / dot(normal, way);
}

}  // namespace odemesh
