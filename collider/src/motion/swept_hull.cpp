#include "motion/swept_hull.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace odemesh {

namespace {

/// A mesh of more vertices, or beside one of more faces, is not looked at.
constexpr std::size_t kMostHullVertices = 64, kMostHullFaces = 20;

/// Planes that are tried.
constexpr int kMostPlanes = 6;

/// Where the meshes reach over the first of them by so much of the radius, hardly any parts them.
constexpr double kHopeless = 0.25;

/// Of all vertices the one that lies least far along `n`.
[[nodiscard]] Vec3 lowest(const Mesh& mesh, const Vec3& n) {
  double least = std::numeric_limits<double>::infinity();
  Vec3 lowest;
  for (const Vec3& v : mesh.vertices())
    if (const double along = dot(v, n); along < least) {
      least = along;
      lowest = v;
    }
  return lowest;
}

/// The normal of the face over whose plane `point` is highest.
[[nodiscard]] Vec3 facing(const Mesh& mesh, const Vec3& point) {
  double highest = -std::numeric_limits<double>::infinity();
  Vec3 normal;
  for (std::uint32_t t = 0; t < mesh.triangleCount(); ++t) {
    const Vec3 n = mesh.normal(t);
    const double height = dot(n, point - mesh.vertex(t, 0));
    if (height <= highest) continue;
    highest = height;
    normal = n;
  }
  return normal;
}

}  // namespace

bool staysBeyondPlane(const HullMotion& moving, const Mesh& still, double slack) {
  if (moving.mesh.vertexCount() > kMostHullVertices || still.triangleCount() > kMostHullFaces) return false;
  const std::array poses{&moving.begin, &moving.end};
  Vec3 n = facing(still, moving.begin.apply(moving.mesh.sphereCentre()));
  double worst = -kHopeless * moving.mesh.sphereRadius();
  for (int i = 0; i < kMostPlanes; ++i) {
    const Vec3 highest = lowest(still, -n);
    std::array<Vec3, 2> across;  // from one mesh to the other where they are nearest along n
    std::array<double, 2> gap{};
    for (std::size_t end = 0; end < 2; ++end) {
      const Pose& pose = *poses[end];
      across[end] = pose.apply(lowest(moving.mesh, pose.rotation.transposed() * n)) - highest;
      gap[end] = dot(n, across[end]) - slack;
    }
    // (1 - s) begin + s end > s (1 - s) / 2 bend for all shares s of the way.
    if (gap[0] > 0 && gap[1] > 0) return gap[0] + gap[1] + 2 * std::sqrt(gap[0] * gap[1]) > 0.5 * moving.bend;
    const std::size_t nearer = gap[0] < gap[1] ? 0 : 1;
    if (!(gap[nearer] > worst)) return false;
    worst = gap[nearer];
    const Vec3 away = normalised(across[nearer]);
    n -= away * (2 * dot(n, away));
  }
  return false;
}

}  // namespace odemesh
