#include "bench/speed/checks.hpp"

#include <cmath>
#include <cstdio>
#include <odemesh/collide.hpp>
#include <odemesh/distance.hpp>
#include <odemesh/methods.hpp>
#include <vector>

#include "contact/placed_mesh.hpp"
#include "narrow_phase/intersect_exact.hpp"

namespace odemesh::bench {

namespace {

/// Every pair of triangles by brute force where that is affordable, else over sphere trees; exact either way.
[[nodiscard]] std::size_t referenceCount(const Scene& scene, const Pose& pose, const PairFinder& finder) {
  const Mesh& a = scene.a.mesh();
  const Mesh& b = scene.b.mesh();
  if (a.triangleCount() * b.triangleCount() > 3'000'000) {
    std::vector<TrianglePair> pairs;
    finder.findAll({}, pose, pairs);
    return pairs.size();
  }
  const MeshPair pair(a, {}, b, pose);
  std::vector<Triangle> second;
  for (std::uint32_t t = 0; t < b.triangleCount(); ++t)
    second.push_back({{pair[1].corner(t, 0), pair[1].corner(t, 1), pair[1].corner(t, 2)}});
  std::size_t count = 0;
  for (std::uint32_t t = 0; t < a.triangleCount(); ++t) {
    const Triangle first{{pair[0].corner(t, 0), pair[0].corner(t, 1), pair[0].corner(t, 2)}};
    for (const Triangle& other : second) count += trianglesIntersect(first, other);
  }
  return count;
}

}  // namespace

bool countsAgree(const Scene& scene) {
  const PairFinder finder(MidPhase::kSphereTree, scene.a.sharedMesh(), scene.b.sharedMesh());
  std::vector<TrianglePair> pairs;
  for (int r = 0; r < kRegimes; ++r)
    for (std::size_t p = 0; p < scene.poses[r].size(); p += 40) {
      const Pose& pose = scene.poses[r][p];
      pairs.clear();
      intersectingTriangles(scene.a.mesh(), {}, scene.b.mesh(), pose, pairs);
      const std::size_t expected = referenceCount(scene, pose, finder);
      if (pairs.size() == expected && intersects(scene.a.mesh(), {}, scene.b.mesh(), pose) == (expected > 0))
        continue;
      std::printf("%s, %s, pose %zu: %zu pairs instead of %zu\n", scene.name().c_str(), kRegimeName[r], p,
                  pairs.size(), expected);
      return false;
    }
  return true;
}

bool distancesAgree(const Scene& scene) {
  constexpr double kRounding = 1e-9;
  for (std::size_t p = 0; p < scene.poses[0].size(); p += 40) {
    const Pose& pose = scene.poses[0][p];
    const auto found = meshDistance(scene.a.mesh(), {}, scene.b.mesh(), pose);
    bool sound = found && std::abs(length(found->witness1 - found->witness2) - found->distance) < kRounding;
    const double nearer = sound ? found->distance - kRounding : 0;
    for (const Vec3& v : scene.b.mesh().vertices())
      sound = sound && !closestPoint(scene.a.mesh(), {}, pose.apply(v), nearer);
    for (const Vec3& v : scene.a.mesh().vertices())
      sound = sound && !closestPoint(scene.b.mesh(), pose, v, nearer);
    if (sound) continue;
    std::printf("%s, pose %zu: wrong distance\n", scene.name().c_str(), p);
    return false;
  }
  return true;
}

}  // namespace odemesh::bench
