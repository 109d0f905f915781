#include "scenes/convex_overlap.hpp"

#include <algorithm>
#include <limits>

namespace odemesh::sim {
namespace {

/// Directions closer than this, as the sine of the angle between them, are one.
constexpr double kSameDirection = 1e-6;

void addDirection(std::vector<Vec3>& to, const Vec3& along) {
  const Vec3 unit = normalised(along);
  const auto is_same = [&](const Vec3& d) { return length(cross(d, unit)) < kSameDirection; };
  if (std::ranges::none_of(to, is_same)) to.push_back(unit);
}

}  // namespace

ConvexSolid::ConvexSolid(const MeshGeometry& geometry) : geometry_(geometry) {
  const TriangleMesh& mesh = geometry.mesh->mesh();
  for (const auto& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
    addDirection(normals_, cross(b - a, c - a));
    for (const Vec3& edge : {b - a, c - b, a - c}) addDirection(edges_, edge);
  }
}

double ConvexSolid::overlap(const ConvexSolid& a, const Pose& pose_a, const ConvexSolid& b,
                            const Pose& pose_b) {
  double least = std::numeric_limits<double>::infinity();
  const auto areApart = [&](const Vec3& along) {
    for (const Vec3& way : {along, -along})
      least = std::min(least, support(a.geometry_, pose_a, way) + support(b.geometry_, pose_b, -way));
    return least <= 0;
  };
  for (const Vec3& n : a.normals_)
    if (areApart(pose_a.rotate(n))) return 0;
  for (const Vec3& n : b.normals_)
    if (areApart(pose_b.rotate(n))) return 0;
  for (const Vec3& edge_a : a.edges_)
    for (const Vec3& edge_b : b.edges_) {
      const Vec3 across = cross(pose_a.rotate(edge_a), pose_b.rotate(edge_b));
      if (length(across) > kSameDirection && areApart(normalised(across))) return 0;
    }
  return least;
}

}  // namespace odemesh::sim
