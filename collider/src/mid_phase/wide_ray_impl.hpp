// The search for the triangles on a ray, a template on the type of eight floats, under the rules of
// wide_search_impl.hpp.
#pragma once

#include "mid_phase/wide_search.hpp"

namespace odemesh {

/// Depth first, to the boxes that the ray enters first. Boxes by the slab test (Kay and Kajiya 1986);
/// triangles by the signs of the volumes that the ray spans with their sides. What is not proven to miss goes
/// to the sink, which measures in double.
template <typename F>
class WideRaySearcher {
 public:
  WideRaySearcher(const WideRay& ray, float limit, const RaySink& sink)
      : ray_(ray), limit_(limit), sink_(sink) {}

  void run() {
    stack_[depth_++] = {ray_.nodes[0].child[0], 0};
    while (depth_ > 0) {
      const Entry entry = stack_[--depth_];
      if (entry.enter > limit_) continue;
      if (entry.child.isLeaf())
        testLeaf(entry.child, entry.enter);
      else
        descend(ray_.nodes[entry.child.index()]);
    }
  }

 private:
  using Mask = typename F::Mask;
  struct Entry {
    WideChild child;
    float enter;
  };

  void descend(const WideNode& node) {
    F enter = F::all(0), leave = F::all(limit_);
    for (int i = 0; i < 3; ++i) {
      const F from = F::load(node.centre[i]) - F::all(ray_.origin[i]);
      const F half = F::load(node.half[i]) + F::all(ray_.slack);
      const F t0 = (from - half) * F::all(ray_.inverse[i]), t1 = (from + half) * F::all(ray_.inverse[i]);
      enter = max(enter, min(t0, t1));
      leave = min(leave, max(t0, t1));
    }
    float at[8];
    enter.store(at);
    const int begin = depth_;
    for (unsigned rest = ~(enter > leave).bits() & node.used; rest != 0; rest &= rest - 1) {
      const int lane = __builtin_ctz(rest);
      int place = depth_++;
      for (; place > begin && stack_[place - 1].enter < at[lane]; --place) stack_[place] = stack_[place - 1];
      stack_[place] = {node.child[lane], at[lane]};
    }
  }

  void testLeaf(WideChild child, float enter) {
    const WideLeaf& leaf = ray_.leaves[child.index()];
    // Seen from where the ray enters the leaf's box, so that the numbers are small.
    F corner[3][3] = {{F::all(0), F::all(0), F::all(0)},
                      {F::all(0), F::all(0), F::all(0)},
                      {F::all(0), F::all(0), F::all(0)}};
    float size = 0;
    for (int i = 0; i < 3; ++i) {
      const float low = leaf.lo[i] - (ray_.origin[i] + enter * ray_.direction[i]);
      const float high = low + 65535 * leaf.step[i];
      size += __builtin_fabsf(low) + __builtin_fabsf(high);
      for (int k = 0; k < 3; ++k)
        corner[k][i] = F::load(leaf.q[3 * k + i]) * F::all(leaf.step[i]) + F::all(low);
    }
    // Corners are off by the error of the leaf and of the ray, products of two of them by that times their
    // size; six roundings come on top.
    const float error = 2.5F * size * (leaf.error + ray_.slack) + 2e-6F * size * size;
    const F a = volume(corner[1], corner[2]), b = volume(corner[2], corner[0]),
            c = volume(corner[0], corner[1]);
    const Mask misses = (max(max(a, b), c) > F::all(error)) & (F::all(-error) > min(min(a, b), c));
    for (unsigned rest = ~misses.bits() & child.triangles(); rest != 0; rest &= rest - 1)
      sink_.take(sink_.context, leaf.first + static_cast<std::uint32_t>(__builtin_ctz(rest)), limit_);
  }

  /// Of the tetrahedron between the ray's direction and two points.
  [[nodiscard]] F volume(const F p[3], const F q[3]) const {
    return F::all(ray_.direction[0]) * (p[1] * q[2] - p[2] * q[1]) +
           F::all(ray_.direction[1]) * (p[2] * q[0] - p[0] * q[2]) +
           F::all(ray_.direction[2]) * (p[0] * q[1] - p[1] * q[0]);
  }

  const WideRay& ray_;
  float limit_;
  const RaySink& sink_;
  Entry stack_[WideTree::kMostOpen];
  int depth_ = 0;
};

template <typename F>
void wideRay(const WideRay& ray, float limit, const RaySink& sink) {
  WideRaySearcher<F>(ray, limit, sink).run();
}

}  // namespace odemesh
