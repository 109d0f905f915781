#include "contact/direction.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include "constants.hpp"

namespace odemesh {

namespace {

/// A region has rarely more than a few flat sides; of a curved one, this many directions say enough.
constexpr std::size_t kMostDirections = 24;
constexpr std::size_t kMostFaces = 128;

/// With the cone of `kClusterCosine`, fewer than this cover the sphere.
constexpr std::size_t kMostClusters = 64;

[[nodiscard]] double areaOf(const Mesh& mesh, std::uint32_t t) {
  const Vec3& a = mesh.vertex(t, 0);
  return 0.5 * length(cross(mesh.vertex(t, 1) - a, mesh.vertex(t, 2) - a));
}

/// Collects distinct directions with their weights; when full, a direction replaces the lightest.
void addDirection(ContactScratch& scratch, const Vec3& direction, double weight) {
  auto& directions = scratch.directions;
  auto& weights = scratch.weights;
  for (std::size_t i = 0; i < directions.size(); ++i)
    if (dot(directions[i], direction) > kSameDirectionCosine) {
      weights[i] += weight;
      return;
    }
  if (directions.size() < kMostDirections) {
    directions.push_back(direction);
    weights.push_back(weight);
    return;
  }
  const auto lightest = std::min_element(weights.begin(), weights.end());
  if (*lightest >= weight) return;
  directions[lightest - weights.begin()] = direction;
  *lightest = weight;
}

/// How far mesh 1 has to move along `direction` until no point of it lies below a point of mesh 2; gives up
/// where that is more than `limit`.
[[nodiscard]] double exitDepth(const Vec3& direction, double limit, const ContactScratch& scratch) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const Vec3& p : scratch.points[0]) lowest = std::min(lowest, dot(direction, p));
  double highest = -std::numeric_limits<double>::infinity();
  for (const Vec3& p : scratch.points[1]) {
    highest = std::max(highest, dot(direction, p));
    if (highest - lowest > limit) break;
  }
  return highest - lowest;
}

[[nodiscard]] Separation leastExit(const ContactScratch& scratch) {
  Separation best{{0, 0, 1}, std::numeric_limits<double>::infinity()};
  for (const Vec3& direction : scratch.directions) {
    const double depth = exitDepth(direction, best.depth, scratch);
    if (depth < best.depth) best = {direction, depth};
  }
  return best;
}

/// The faces of a region that may be flat sides that matter: the largest, and a sample of the rest, since a
/// flat side may be cut into small faces.
void sampleFaces(const Mesh& mesh, const std::vector<std::uint32_t>& faces, std::vector<FaceArea>& out) {
  out.clear();
  for (const std::uint32_t t : faces) out.push_back({t, areaOf(mesh, t)});
  if (out.size() <= kMostFaces) return;
  constexpr std::size_t kLargest = kMostFaces / 2;
  std::nth_element(out.begin(), out.begin() + kLargest, out.end(), [](const FaceArea& a, const FaceArea& b) {
    return a.area != b.area ? a.area > b.area : a.face < b.face;
  });
  const std::size_t stride = (out.size() - kLargest) / (kMostFaces - kLargest) + 1;
  std::size_t kept = kLargest;
  for (std::size_t i = kLargest; i < out.size(); i += stride) out[kept++] = out[i];
  out.resize(kept);
}

void addFaceNormals(const std::array<SheetSide, 2>& sides, const MeshPair& pair, ContactScratch& scratch) {
  for (int side = 0; side < 2; ++side) {
    sampleFaces(pair[side].mesh(), scratch.faces[side], scratch.face_areas);
    for (const FaceArea& f : scratch.face_areas) {
      const Vec3 n = sides[side].normal(f.face);
      addDirection(scratch, side == 0 ? -n : n, f.area);
    }
  }
}

}  // namespace

Separation findSeparation(const std::array<SheetSide, 2>& sides, const MeshPair& pair,
                          const Vec3& area_vector, bool contour_is_closed, ContactScratch& scratch) {
  scratch.directions.clear();
  scratch.weights.clear();
  addFaceNormals(sides, pair, scratch);
  if (contour_is_closed && lengthSq(area_vector) > 0)
    scratch.directions.insert(scratch.directions.begin(), normalised(area_vector));
  return leastExit(scratch);
}

void clusterDirections(const std::array<SheetSide, 2>& sides, const MeshPair& pair, ContactScratch& scratch) {
  scratch.directions.clear();
  scratch.weights.clear();
  for (int side = 0; side < 2; ++side)
    for (const std::uint32_t t : scratch.faces[side]) {
      const Vec3 n = sides[side].normal(t);
      scratch.directions.push_back(side == 0 ? -n : n);
      scratch.weights.push_back(areaOf(pair[side].mesh(), t));
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

std::size_t nearestCluster(const Vec3& direction, const ContactScratch& scratch) {
  const auto nearest =
      std::max_element(scratch.clusters.begin(), scratch.clusters.end(),
                       [&](const Vec3& a, const Vec3& b) { return dot(a, direction) < dot(b, direction); });
  return static_cast<std::size_t>(nearest - scratch.clusters.begin());
}

Separation findExit(const MeshPair& pair, ContactScratch& scratch) {
  scratch.directions.clear();
  scratch.weights.clear();
  for (int side = 0; side < 2; ++side)
    for (std::uint32_t t = 0; t < pair[side].mesh().triangleCount(); ++t)
      addDirection(scratch, side == 0 ? -pair[side].normal(t) : pair[side].normal(t),
                   areaOf(pair[side].mesh(), t));
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z)
        if (x != 0 || y != 0 || z != 0)
          scratch.directions.push_back(normalised({double(x), double(y), double(z)}));
  return leastExit(scratch);
}

}  // namespace odemesh
