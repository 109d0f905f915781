#include "contact/patch/graze.hpp"

#include <algorithm>
#include <cmath>

#include "constants.hpp"

namespace odemesh {

namespace {

/// A region of no more depth, in units of the smaller mesh's radius, is there because meshes are blown up.
constexpr double kGrazeDepth = 1.5 * kInflation;
/// The same where a vertex is inside: what rests has sunk in by about this much, and slides on.
constexpr double kVertexGrazeDepth = 4 * kInflation;

/// A graze along an edge is at least this long, in units of the smaller mesh's radius.
constexpr double kGrazeLength = 1e-3;

/// Two directions closer than this (a cosine) belong to one side of an edge.
constexpr double kOneSideCosine = 0.9;
/// A face contains a direction if its normal's cosine with it is less.
constexpr double kAlongCosine = 0.1;

/// Of equals the first.
[[nodiscard]] const Vec3& farthestFrom(const Vec3& from, const std::vector<Vec3>& points) {
  const Vec3* farthest = &points.front();
  double greatest_sq = lengthSq(*farthest - from);
  for (const Vec3& p : points)
    if (const double sq = lengthSq(p - from); greatest_sq < sq) {
      farthest = &p;
      greatest_sq = sq;
    }
  return *farthest;
}

/// Does one of the faces that contain `axis` (zero: of all) look in another direction than the first of
/// these?
[[nodiscard]] bool haveEdge(const std::vector<RegionFace>& faces, const Vec3& axis = {}) {
  const auto containsAxis = [&](const RegionFace& f) {
    return std::abs(dot(f.normal, axis)) <= kAlongCosine;
  };
  const auto first = std::find_if(faces.begin(), faces.end(), containsAxis);
  return std::any_of(first, faces.end(), [&](const RegionFace& f) {
    return containsAxis(f) && dot(f.normal, first->normal) < kOneSideCosine;
  });
}

}  // namespace

bool isParallelEdgeGraze(const MeshPair& pair, const std::array<SheetSide, 2>& sides,
                         const ContactScratch& scratch) {
  const auto& points = scratch.points[0];
  if (points.size() < 2 || !sides[0].isSolid() || !sides[1].isSolid()) return false;
  const Vec3 begin = farthestFrom(points.front(), points);
  const Vec3 along = farthestFrom(begin, points) - begin;
  const double reach = length(along);
  if (reach < kGrazeLength * pair.size()) return false;
  const Vec3 axis = along / reach;
  const double thick = kMostGraze * pair.size();
  for (const auto& side_points : scratch.points)
    for (const Vec3& p : side_points)
      if (lengthSq(cross(axis, p - begin)) > thick * thick) return false;
  return haveEdge(scratch.faces[0], axis) && haveEdge(scratch.faces[1], axis);
}

bool isPointGraze(const MeshPair& pair, const std::array<SheetSide, 2>& sides, double depth,
                  const ContactScratch& scratch) {
  const auto& points = scratch.points[0];
  const double most = scratch.hasVerticesInside() ? kVertexGrazeDepth : kGrazeDepth;
  if (depth > most * pair.size() || points.empty() || !sides[0].isSolid() || !sides[1].isSolid())
    return false;
  const double reach = kGrazeLength * pair.size();
  return lengthSq(farthestFrom(points.front(), points) - points.front()) < reach * reach &&
         haveEdge(scratch.faces[0]) && haveEdge(scratch.faces[1]);
}

}  // namespace odemesh
