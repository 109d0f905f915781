// Stage 3 for a ray: the triangles of a mesh that it may meet.
#pragma once

#include <cstdint>
#include <odemesh/pose.hpp>

#include "bvh/wide_tree.hpp"
#include "mid_phase/wide_search.hpp"

namespace odemesh {

/// A ray in the frame of a mesh, made ready for its tree. The part of it before the tree's bounding sphere is
/// left out, so that an origin however distant costs no accuracy.
class TreeRay {
 public:
  [[nodiscard]] static TreeRay in(const WideTree& tree, const Vec3& origin, const Vec3& direction);

  /// Calls `on_triangle(t, limit)` for triangles that the ray may meet no later than `limit`, in units of its
  /// direction; the nearer ones tend to come first. `on_triangle` may lower the limit.
  template <typename OnTriangle>
  void search(double limit, OnTriangle&& on_triangle) const {
    if (misses_) return;
    struct Call {
      const TreeRay& ray;
      double limit;
      OnTriangle& on_triangle;
    } call{*this, limit, on_triangle};
    const auto take = [](void* context, std::uint32_t t, float& tree_limit) {
      auto& c = *static_cast<Call*>(context);
      const double before = c.limit;
      c.on_triangle(t, c.limit);
      if (c.limit < before) tree_limit = c.ray.inTree(c.limit);
    };
    run(inTree(limit), RaySink{take, &call});
  }

 private:
  TreeRay() = default;
  void run(float limit, const RaySink& sink) const;
  /// A place on the ray as the tree has it, rounded up.
  [[nodiscard]] float inTree(double t) const;

  WideRay ray_{};
  double unit_ = 1;   ///< length of the direction in the tree's unit
  double start_ = 0;  ///< where the tree's ray begins, in the tree's unit
  bool misses_ = false;
};

}  // namespace odemesh
