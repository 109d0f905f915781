// The search for the least distance, a template on the type of eight floats, under the rules of
// wide_search_impl.hpp.
#pragma once

#include "mid_phase/wide_search.hpp"
#include "mid_phase/wide_search_base.hpp"

namespace odemesh {

/// Depth first, to the nearest boxes first. What may be closer than the best so far by every bound goes to
/// the sink, which measures in double.
template <typename F>
class WideDistanceSearcher : private WideSearchBase<F> {
 public:
  WideDistanceSearcher(const WideQuery& query, const ClosestSoFar& closest, const DistanceSink& sink)
      : Base(query), closest_(closest), sink_(sink) {}

  SearchCounts run() {
    stack_[depth_++] = {{{0, 0}}, 0, 0, 0};
    while (depth_ > 0 && !closest_.done) {
      const Entry entry = stack_[--depth_];
      if (entry.bound_sq > closest_.distance_sq[entry.side]) continue;
      const Box first = boxOf(query_.tree[0], entry.pair.ref[0]);
      const Box second = boxOf(query_.tree[1], entry.pair.ref[1]);
      if (first.child.isLeaf() && second.child.isLeaf())
        testLeaves(first.child, second.child);
      else if (second.child.isLeaf() || (!first.child.isLeaf() && isLarger(first, second)))
        descend(0, first.child, second, entry.pair.ref[1]);
      else
        descend(1, second.child, first, entry.pair.ref[0]);
    }
    return counts_;
  }

 private:
  using Base = WideSearchBase<F>;
  using Base::boxOf;
  using Base::findBase;
  using Base::first_;
  using Base::isLarger;
  using Base::kStackSize;
  using Base::larger;
  using Base::load1;
  using Base::load2;
  using Base::named;
  using Base::query_;
  using Base::second_;
  using Base::smaller;
  using typename Base::Box;
  using typename Base::Gaps;
  using typename Base::Mask;
  using typename Base::NodePair;
  using typename Base::Triangles;

  /// Two boxes, with a bound on the square of their distance in the unit of tree `side`. They are opened in
  /// the order of `nearness`, the least first.
  struct Entry {
    NodePair pair;
    float bound_sq, nearness;
    int side;
  };

  struct End {
    std::uint32_t leaf, line = 0;
    float at;
  };
  static constexpr int kEnds = 128;

  /// Squares of greater lengths than this may overflow. A bound may always be less than the truth.
  static F clamped(const F& gap) { return min(max(gap, F::all(0)), F::all(1e18F)); }
  static F lengthSq(const F gap[3]) {
    const F x = clamped(gap[0]), y = clamped(gap[1]), z = clamped(gap[2]);
    return x * x + y * y + z * z;
  }

  void descend(int side, WideChild child, const Box& other, std::uint32_t other_ref) {
    const SearchTree& tree = query_.tree[side];
    const std::uint32_t index = child.index();
    const WideNode& node = tree.nodes[index];
    const Gaps gaps(tree.from_other, other, node);
    const F bounds = max(lengthSq(gaps.own), lengthSq(gaps.other));
    float bound_sq[8], nearness[8];
    bounds.store(bound_sq);
    select(bounds > F::all(0), bounds, gaps.greatest()).store(nearness);
    counts_.box_tests += static_cast<std::size_t>(__builtin_popcount(node.used));
    const int begin = depth_;
    unsigned rest = ~(bounds > F::all(closest_.distance_sq[side])).bits() & node.used;
    for (; rest != 0; rest &= rest - 1) {
      const int lane = __builtin_ctz(rest);
      int at = depth_++;
      for (; at > begin && !(nearness[lane] <= stack_[at - 1].nearness); --at) stack_[at] = stack_[at - 1];
      stack_[at] = {named(side, index, rest, other_ref), bound_sq[lane], nearness[lane], side};
    }
  }

  /// Where leaf `index` of tree `side` ends along the line on which the meshes were closest: the first tree
  /// at its front, the second at its back. Kept for some leaves, which come again.
  [[nodiscard]] float endOf(int side, std::uint32_t index) {
    End& end = ends_[side][index % kEnds];
    if (end.line == line_ && end.leaf == index) return end.at;  // leaf is unset where line is 0
    const WideLeaf& leaf = query_.tree[side].leaves[index];
    const float* axis = closest_.axis[side];
    const F x = F::all(axis[0] * leaf.step[0]), y = F::all(axis[1] * leaf.step[1]),
            z = F::all(axis[2] * leaf.step[2]);
    const auto along = [&](std::size_t k) {
      return x * F::load(leaf.q[3 * k]) + y * F::load(leaf.q[3 * k + 1]) + z * F::load(leaf.q[3 * k + 2]);
    };
    const F a = along(0), b = along(1), c = along(2);
    float ends[8];
    (side == 0 ? max(max(a, b), c) : min(min(a, b), c)).store(ends);
    float farthest = ends[0];
    for (int i = 1; i < 8; ++i) farthest = side == 0 ? larger(farthest, ends[i]) : smaller(farthest, ends[i]);
    const float error =
        leaf.error * (__builtin_fabsf(axis[0]) + __builtin_fabsf(axis[1]) + __builtin_fabsf(axis[2]));
    const float corner = axis[0] * leaf.lo[0] + axis[1] * leaf.lo[1] + axis[2] * leaf.lo[2];
    end = {index, line_, corner + farthest + (side == 0 ? error : -error)};
    return end.at;
  }

  void testLeaves(WideChild child1, WideChild child2) {
    if (closest_.ahead + endOf(1, child2.index()) - endOf(0, child1.index()) - closest_.slack >
        closest_.distance)
      return;
    const WideLeaf& leaf1 = query_.tree[0].leaves[child1.index()];
    const WideLeaf& leaf2 = query_.tree[1].leaves[child2.index()];
    load1(child1.index());
    load2(child2.index());
    float base[3];
    findBase(leaf1, leaf2, base);
    const float size = first_.size + second_.size + __builtin_fabsf(base[0]) + __builtin_fabsf(base[1]) +
                       __builtin_fabsf(base[2]);
    // As for pairs that meet.
    slack_ = first_.error + second_.error + query_.tree[1].from_other.margin + 1e-6F * size;
    if (!(size > 1e-8F && size < 1e12F && slack_ < 1e12F)) {
      slack_ = 3e38F;  // measure all
    }
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) placed_.corner[k][i] = second_.triangles.corner[k][i] + F::all(base[i]);
      placed_.low[i] = second_.triangles.low[i] + F::all(base[i]);
      placed_.high[i] = second_.triangles.high[i] + F::all(base[i]);
    }
    project();
    const Triangles& t1 = first_.triangles;
    for (int i = 0; i < 3; ++i) {
      t1.low[i].store(low_[i]);
      t1.high[i].store(high_[i]);
    }
    for (unsigned rest = child1.triangles(); rest != 0 && !closest_.done; rest &= rest - 1)
      testTriangle(__builtin_ctz(rest), leaf1.first, child2.triangles(), leaf2.first);
  }

  /// Where the triangles end along the line on which the meshes were closest.
  void project() {
    const float* axis = closest_.axis[1];
    const F x = F::all(axis[0]), y = F::all(axis[1]), z = F::all(axis[2]);
    const auto along = [&](const F corner[3]) { return x * corner[0] + y * corner[1] + z * corner[2]; };
    const Triangles& t1 = first_.triangles;
    max(max(along(t1.corner[0]), along(t1.corner[1])), along(t1.corner[2])).store(front_);
    back_ = min(min(along(placed_.corner[0]), along(placed_.corner[1])), along(placed_.corner[2]));
  }

  /// One bit for each triangle of leaf 2 that may be closer to triangle `lane` of leaf 1 than the best so
  /// far.
  [[nodiscard]] unsigned mayBeCloser(int lane) const {
    // A point's projection is off by up to 1.75 times what its coordinates are off by.
    Mask farther = back_ - F::all(front_[lane] + 2 * slack_) > F::all(closest_.distance);
    F sum = F::all(0);
    for (int i = 0; i < 3; ++i) {
      const F gap = max(placed_.low[i] - F::all(high_[i][lane]), F::all(low_[i][lane]) - placed_.high[i]);
      const F spared = clamped(gap - F::all(slack_));
      sum = sum + spared * spared;
    }
    farther = farther | (sum > F::all(closest_.distance_sq[1]));
    return ~farther.bits();
  }

  void testTriangle(int lane, std::uint32_t first1, unsigned lanes2, std::uint32_t first2) {
    unsigned candidates = lanes2 & mayBeCloser(lane);
    while (candidates != 0 && !closest_.done) {
      const auto lane2 = static_cast<std::uint32_t>(__builtin_ctz(candidates));
      candidates &= candidates - 1;
      ++counts_.triangle_tests;
      if (!sink_.take(sink_.context, first1 + static_cast<std::uint32_t>(lane), first2 + lane2, closest_))
        continue;
      ++line_;
      project();
      candidates &= mayBeCloser(lane);
    }
  }

  ClosestSoFar closest_;
  const DistanceSink& sink_;
  SearchCounts counts_{0, 0};
  Entry stack_[kStackSize];
  int depth_ = 0;
  End ends_[2][kEnds];
  std::uint32_t line_ = 1;  ///< counts the lines
  Triangles placed_;
  float slack_ = 0;
  float front_[8], low_[3][8], high_[3][8];
  F back_ = F::all(0);
};

template <typename F>
SearchCounts wideDistance(const WideQuery& query, ClosestSoFar closest, const DistanceSink& sink) {
  return WideDistanceSearcher<F>(query, closest, sink).run();
}

}  // namespace odemesh
