// Least distances over the trees: what is farther apart than the closest pair so far is left out.
#include <algorithm>
#include <cmath>
#include <functional>
#include <odemesh/distance.hpp>
#include <tuple>
#include <vector>

#include "bvh/wide_walk.hpp"
#include "contact/placed_mesh.hpp"
#include "mid_phase/centred_placement.hpp"
#include "mid_phase/wide_pairs.hpp"
#include "narrow_phase/triangle.hpp"
#include "separation/closest_triangles.hpp"
#include "separation/parting_plane.hpp"
#include "separation/point_triangle.hpp"
#include "separation/triangle_triangle.hpp"

namespace odemesh {

namespace {

[[nodiscard]] SurfaceDistance inWorld(const MeshPair& pair, std::uint32_t t1, std::uint32_t t2,
                                      const TriangleSeparation& s) {
  return {s.distance, pair.toWorld().apply(s.witness1), pair.toWorld().apply(s.witness2),
          pair[0].inputTriangleAt(t1, s.witness1), pair[1].inputTriangleAt(t2, s.witness2)};
}

[[nodiscard]] bool isFinite(const SurfaceDistance& d) {
  return isFinite(d.witness1) && isFinite(d.witness2) && std::isfinite(d.distance);
}

/// The length of what `d` exceeds `reach` by, along each axis.
[[nodiscard]] double excess(const Vec3& d, const Vec3& reach) {
  return length({std::max(std::abs(d.x) - reach.x, 0.0), std::max(std::abs(d.y) - reach.y, 0.0),
                 std::max(std::abs(d.z) - reach.z, 0.0)});
}

/// Triangles whose distances from a point differ by less, in units of these, are as near to it.
constexpr double kAsNear = 1e-12;

/// Boxes of a tree by their distance. Kept from call to call, so that nothing is allocated anew.
class NearestFirst {
 public:
  using Item = std::pair<double, std::uint32_t>;

  NearestFirst() { items_.clear(); }
  void push(double distance, std::uint32_t number) {
    items_.emplace_back(distance, number);
    std::push_heap(items_.begin(), items_.end(), std::greater<>());
  }
  void pop() {
    std::pop_heap(items_.begin(), items_.end(), std::greater<>());
    items_.pop_back();
  }
  [[nodiscard]] const Item& top() const { return items_.front(); }
  [[nodiscard]] bool empty() const { return items_.empty(); }

 private:
  [[nodiscard, gnu::noinline]] static std::vector<Item>& ofThread() {
    static thread_local std::vector<Item> items;
    return items;
  }
  std::vector<Item>& items_ = ofThread();
};

}  // namespace

std::optional<SurfaceDistance> meshDistance(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2,
                                            const Pose& pose2, const DistanceOptions& options,
                                            QueryStats* stats) {
  QueryStats local;
  std::optional<SurfaceDistance> result;
  if (isFinite(pose1) && isFinite(pose2)) {
    const MeshPair pair(mesh1, pose1, mesh2, pose2);
    if (const auto found = closestTriangles(pair, options, local))
      result = inWorld(pair, found->first, found->second, found->separation);
    // Out of the range of doubles, for a pose near its end.
    if (result && !isFinite(*result)) result.reset();
  }
  if (stats != nullptr) *stats = local;
  return result;
}

void closePairs(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2, const Pose& pose2, double limit,
                std::vector<SurfaceDistance>& out, QueryStats* stats) {
  QueryStats local;
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  if (isFinite(pose1) && isFinite(pose2) && limit >= 0) {
    const MeshPair pair(mesh1, pose1, mesh2, pose2);
    const double margin = limit + CentredPlacement(pair).slack;
    const SearchCounts counts = searchTrianglePairs(
        mesh1.wideTree(), mesh2.wideTree(), pair.mesh2InMesh1(), margin, false,
        [&](std::uint32_t t1, std::uint32_t t2, bool) {
          ++local.triangle_tests;
          const TriangleSeparation s = triangleSeparation(pair[0].triangle(t1), pair[1].triangle(t2));
          if (s.distance <= limit) out.push_back(inWorld(pair, t1, t2, s));
          return false;
        });
    local.box_tests = counts.box_tests;
  }
  std::sort(out.begin() + first, out.end(), [](const SurfaceDistance& a, const SurfaceDistance& b) {
    return std::tie(a.triangle1, a.triangle2) < std::tie(b.triangle1, b.triangle2);
  });
  if (stats != nullptr) *stats = local;
}

std::optional<SurfacePoint> closestPoint(const Mesh& mesh, const Pose& pose, const Vec3& point,
                                         double upper_bound) {
  if (!isFinite(pose) || !isFinite(point) || !(upper_bound >= 0)) return std::nullopt;
  const WideTree& tree = mesh.wideTree();
  const Vec3 local = pose.rotation.transposed() * (point - pose.translation);
  const Vec3 in_tree = local - tree.origin();
  const double slack = kBoxSlack * (mesh.sphereRadius() + length(local) + length(mesh.sphereCentre()));
  const auto bound = [&](std::uint32_t number) {
    const WideBox box = boxOf(tree, number);
    return std::max(excess(in_tree - box.centre * tree.scale(), box.half * tree.scale()) - slack, 0.0);
  };

  const double root_bound = bound(0);
  if (root_bound > upper_bound) return std::nullopt;

  NearestFirst queue;
  queue.push(root_bound, 0);
  std::optional<ClosestOnTriangle> best;
  std::uint32_t triangle = 0;
  double best_distance = upper_bound, best_off_plane = 0;
  while (!queue.empty() && queue.top().first <= best_distance) {
    const WideChild child = boxOf(tree, queue.top().second).child;
    queue.pop();
    if (!child.isLeaf()) {
      forEachBox(tree, child, [&](std::uint32_t number) { queue.push(bound(number), number); });
      continue;
    }
    forEachTriangle(tree, child, [&](std::uint32_t t) {
      const Triangle corners = triangleOf(mesh, t);
      if (planeParts(corners, {&local, 1}, best_distance)) return;
      const ClosestOnTriangle c = closestOnTriangle(local, corners);
      const double distance = std::sqrt(c.distance_sq);
      if (distance > (best ? best_distance * (1 + kAsNear) : best_distance)) return;
      const double off_plane = std::abs(dot(mesh.normal(t), local - corners.v[0]));
      const bool is_nearer = !best || distance < best_distance * (1 - kAsNear);
      if (!is_nearer && off_plane <= best_off_plane) return;
      best = c;
      best_distance = std::min(distance, best_distance);
      best_off_plane = off_plane;
      triangle = t;
    });
  }
  if (!best) return std::nullopt;
  return SurfacePoint{best_distance, pose.apply(best->point), pose.rotate(mesh.normal(triangle)),
                      mesh.inputTriangleAt(triangle, best->point)};
}

}  // namespace odemesh
