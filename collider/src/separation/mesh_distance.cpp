// Least distances over the trees: the pair of boxes with the least bound is opened first, so that the search
// ends as soon as that bound reaches what has been found.
#include <algorithm>
#include <odemesh/distance.hpp>
#include <queue>
#include <tuple>

#include "contact/placed_mesh.hpp"
#include "mid_phase/box_distance.hpp"
#include "mid_phase/pair_search.hpp"
#include "separation/point_triangle.hpp"
#include "separation/triangle_triangle.hpp"

namespace odemesh {

namespace {

[[nodiscard]] Triangle placedTriangle(const PlacedMesh& placed, std::uint32_t t) {
  return {{placed.corner(t, 0), placed.corner(t, 1), placed.corner(t, 2)}};
}

[[nodiscard]] SurfaceDistance inWorld(const MeshPair& pair, std::uint32_t t1, std::uint32_t t2,
                                      const Separation& s) {
  return {s.distance, pair.toWorld().apply(s.witness1), pair.toWorld().apply(s.witness2),
          pair[0].mesh().inputTriangle(t1), pair[1].mesh().inputTriangle(t2)};
}

/// `value` where it makes sense as a length or a ratio.
[[nodiscard]] double atLeastZeroOr(double value, double otherwise) {
  return value >= 0 ? value : otherwise;
}

/// One search for the closest pair.
class ClosestPair {
 public:
  ClosestPair(const MeshPair& pair, const DistanceOptions& options, QueryStats& stats)
      : pair_(pair),
        bound_(pair),
        stats_(stats),
        best_(atLeastZeroOr(options.upper_bound, DistanceOptions{}.upper_bound)),
        stop_at_(atLeastZeroOr(options.stop_at, 0)),
        generosity_(1 + atLeastZeroOr(options.relative_tolerance, 0)) {}

  [[nodiscard]] std::optional<SurfaceDistance> run() {
    offer(0, 0);
    while (!queue_.empty() && isWorthwhile(queue_.top().bound)) {
      const Candidate next = queue_.top();
      queue_.pop();
      const BvhNode& a = bvh(0).node(next.a);
      const BvhNode& b = bvh(1).node(next.b);
      if (a.isLeaf() && b.isLeaf()) {
        if (testLeaves(a, b)) break;
      } else if (b.isLeaf() || (!a.isLeaf() && opensFirst(a, b))) {
        offer(a.first, next.b);
        offer(a.first + 1, next.b);
      } else {
        offer(next.a, b.first);
        offer(next.a, b.first + 1);
      }
    }
    if (!found_) return std::nullopt;
    return inWorld(pair_, triangle1_, triangle2_, separation_);
  }

 private:
  struct Candidate {
    double bound;
    std::uint32_t a, b;
    bool operator<(const Candidate& o) const {  // std::priority_queue pops the greatest
      return std::tie(o.bound, o.a, o.b) < std::tie(bound, a, b);
    }
  };

  [[nodiscard]] const Bvh& bvh(int side) const { return pair_[side].mesh().bvh(); }
  [[nodiscard]] bool isWorthwhile(double bound) const { return bound * generosity_ < best_ || !found_; }
  [[nodiscard]] bool opensFirst(const BvhNode& a, const BvhNode& b) const {
    return lengthSq(a.halfExtent() * bvh(0).scale()) >= lengthSq(b.halfExtent() * bvh(1).scale());
  }

  void offer(std::uint32_t a, std::uint32_t b) {
    ++stats_.box_tests;
    const double bound = bound_(bvh(0).node(a), bvh(1).node(b));
    if (bound <= best_ && isWorthwhile(bound)) queue_.push({bound, a, b});
  }

  /// Returns true if the search may end.
  [[nodiscard]] bool testLeaves(const BvhNode& a, const BvhNode& b) {
    for (const std::uint32_t t1 : bvh(0).items(a)) {
      const Triangle triangle1 = placedTriangle(pair_[0], t1);
      for (const std::uint32_t t2 : bvh(1).items(b)) {
        ++stats_.triangle_tests;
        const Separation s = triangleSeparation(triangle1, placedTriangle(pair_[1], t2));
        if (found_ ? s.distance >= best_ : s.distance > best_) continue;
        best_ = s.distance;
        separation_ = s;
        triangle1_ = t1;
        triangle2_ = t2;
        found_ = true;
        if (best_ <= stop_at_) return true;
      }
    }
    return false;
  }

  const MeshPair& pair_;
  BoxDistance bound_;
  QueryStats& stats_;
  double best_, stop_at_, generosity_;
  std::priority_queue<Candidate> queue_;
  bool found_ = false;
  Separation separation_;
  std::uint32_t triangle1_ = 0, triangle2_ = 0;
};

}  // namespace

std::optional<SurfaceDistance> meshDistance(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2,
                                            const Pose& pose2, const DistanceOptions& options,
                                            QueryStats* stats) {
  QueryStats local;
  std::optional<SurfaceDistance> result;
  if (isFinite(pose1) && isFinite(pose2)) {
    const MeshPair pair(mesh1, pose1, mesh2, pose2);
    result = ClosestPair(pair, options, local).run();
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
    const auto on_leaves = [&](std::span<const std::uint32_t> items1, std::span<const std::uint32_t> items2) {
      for (const std::uint32_t t1 : items1) {
        for (const std::uint32_t t2 : items2) {
          ++local.triangle_tests;
          const Separation s = triangleSeparation(placedTriangle(pair[0], t1), placedTriangle(pair[1], t2));
          if (s.distance <= limit) out.push_back(inWorld(pair, t1, t2, s));
        }
      }
      return false;
    };
    const double margin = limit + CentredPlacement(pair).slack;
    local.box_tests = searchPairs(mesh1.bvh(), mesh2.bvh(), pair.mesh2InMesh1(), margin, on_leaves);
  }
  std::sort(out.begin() + first, out.end(), [](const SurfaceDistance& a, const SurfaceDistance& b) {
    return std::tie(a.triangle1, a.triangle2) < std::tie(b.triangle1, b.triangle2);
  });
  if (stats != nullptr) *stats = local;
}

std::optional<SurfacePoint> closestPoint(const Mesh& mesh, const Pose& pose, const Vec3& point,
                                         double upper_bound) {
  if (!isFinite(pose) || !isFinite(point) || !(upper_bound >= 0)) return std::nullopt;
  const Bvh& bvh = mesh.bvh();
  const Vec3 local = pose.rotation.transposed() * (point - pose.translation);
  const Vec3 in_tree = local - bvh.origin();
  const double slack = kBoxSlack * (mesh.sphereRadius() + length(local) + length(mesh.sphereCentre()));
  const auto bound = [&](std::uint32_t node) {
    const BvhNode& n = bvh.node(node);
    return std::max(excess(in_tree - n.centre() * bvh.scale(), n.halfExtent() * bvh.scale()) - slack, 0.0);
  };

  using Candidate = std::pair<double, std::uint32_t>;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  queue.push({bound(0), 0});
  std::optional<ClosestOnTriangle> best;
  std::uint32_t triangle = 0;
  double best_distance = upper_bound;
  while (!queue.empty() && queue.top().first <= best_distance) {
    const BvhNode& node = bvh.node(queue.top().second);
    queue.pop();
    if (!node.isLeaf()) {
      for (const std::uint32_t child : {node.first, node.first + 1}) queue.push({bound(child), child});
      continue;
    }
    for (const std::uint32_t t : bvh.items(node)) {
      const ClosestOnTriangle c =
          closestOnTriangle(local, {{mesh.vertex(t, 0), mesh.vertex(t, 1), mesh.vertex(t, 2)}});
      const double distance = std::sqrt(c.distance_sq);
      if (best ? distance >= best_distance : distance > best_distance) continue;
      best = c;
      best_distance = distance;
      triangle = t;
    }
  }
  if (!best) return std::nullopt;
  return SurfacePoint{best_distance, pose.apply(best->point), pose.rotate(mesh.normal(triangle)),
                      mesh.inputTriangle(triangle)};
}

}  // namespace odemesh
