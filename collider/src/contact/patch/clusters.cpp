#include "contact/patch/clusters.hpp"

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <tuple>

#include "constants.hpp"
#include "contact/patch/corner.hpp"

namespace odemesh {

namespace {

/// With the cone of `kClusterCosine`, fewer than this cover the sphere.
constexpr std::size_t kMostClusters = 64;

/// Directions that are as near to two clusters but for this go to the first: rounding does not choose.
constexpr double kSameCosine = 1e-9;

/// The clusters of the faces of these sides.
void clusterFacesOf(std::initializer_list<int> sides, ContactScratch& scratch) {
  scratch.directions.clear();
  scratch.weights.clear();
  for (const int side : sides)
    for (const RegionFace& f : scratch.faces[side]) {
      scratch.directions.push_back(side == 0 ? -f.normal : f.normal);
      scratch.weights.push_back(f.area);
    }
  auto& order = scratch.order;
  order.resize(scratch.directions.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Vec3& p = scratch.directions[a];
    const Vec3& q = scratch.directions[b];
    return std::tie(scratch.weights[b], p.x, p.y, p.z) < std::tie(scratch.weights[a], q.x, q.y, q.z);
  });
  scratch.clusters.clear();
  for (const std::uint32_t i : order) {
    const Vec3& direction = scratch.directions[i];
    const bool covered = std::any_of(scratch.clusters.begin(), scratch.clusters.end(),
                                     [&](const Vec3& c) { return dot(c, direction) > kClusterCosine; });
    if (!covered && scratch.clusters.size() < kMostClusters) scratch.clusters.push_back(direction);
  }
}

}  // namespace

void clusterDirections(ContactScratch& scratch) {
  clusterFacesOf({0, 1}, scratch);
}

void clusterWalls(ContactScratch& scratch) {
  clusterDirections(scratch);
  if (areWalls(scratch)) return;
  const bool first_is_inside = !scratch.inside_points[0].empty();
  if (first_is_inside == !scratch.inside_points[1].empty()) return;
  clusterFacesOf({first_is_inside ? 1 : 0}, scratch);
  if (!areWalls(scratch)) clusterDirections(scratch);
}

void joinClusters(ContactScratch& scratch) {
  auto &clusters = scratch.clusters, &joined = scratch.joined_clusters;
  joined.clear();
  if (clusters.size() < 2) return;
  const Vec3 sum = std::accumulate(clusters.begin(), clusters.end(), Vec3{});
  if (lengthSq(sum) <= 1) return;  // two and more in one cone add up to more
  const Vec3 axis = normalised(sum);
  const auto isInCone = [&](const Vec3& direction) { return dot(axis, direction) > kClusterCosine; };
  if (!std::ranges::all_of(scratch.directions, isInCone)) return;
  joined.swap(clusters);
  clusters.assign(1, axis);
}

std::size_t nearestOf(std::span<const Vec3> directions, const Vec3& direction) {
  std::size_t nearest = 0;
  double greatest = dot(directions[0], direction);
  for (std::size_t k = 1; k < directions.size(); ++k)
    if (const double cosine = dot(directions[k], direction); greatest + kSameCosine < cosine) {
      nearest = k;
      greatest = cosine;
    }
  return nearest;
}

}  // namespace odemesh
