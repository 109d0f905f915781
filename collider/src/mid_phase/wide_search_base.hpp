// What the searches over two wide trees share: boxes and how they are named, and leaves brought to a common
// frame. A template on the type of eight floats, under the rules of wide_search_impl.hpp.
#pragma once

#include "mid_phase/wide_search.hpp"

namespace odemesh {

template <typename F>
class WideSearchBase {
 protected:
  using Mask = typename F::Mask;

  explicit WideSearchBase(const WideQuery& query) : query_(query) {}

  /// A box is named by its node and its lane: 8 * node + lane.
  struct NodePair {
    std::uint32_t ref[2];
  };
  struct Box {
    float centre[3], half[3];
    WideChild child;
  };
  // One pair makes way for at most eight that are one level deeper in one of the trees.
  static constexpr int kStackSize = (WideTree::kWidth - 1) * 2 * int(WideTree::kMaxDepth) + WideTree::kWidth;

  static float larger(float a, float b) { return a > b ? a : b; }
  static float smaller(float a, float b) { return a < b ? a : b; }

  static WideChild childOf(const SearchTree& tree, std::uint32_t ref) {
    return tree.nodes[ref / 8].child[ref % 8];
  }
  static Box boxOf(const SearchTree& tree, std::uint32_t ref) {
    const WideNode& node = tree.nodes[ref / 8];
    const std::uint32_t lane = ref % 8;
    Box box;
    for (int axis = 0; axis < 3; ++axis) {
      box.centre[axis] = node.centre[axis][lane];
      box.half[axis] = node.half[axis][lane];
    }
    box.child = node.child[lane];
    return box;
  }

  /// By how much the eight boxes of a node stay clear of a box of the other tree along each of the six face
  /// axes; negative where they overlap, never more than the truth.
  struct Gaps {
    F own[3] = {F::all(0), F::all(0), F::all(0)};    ///< along the axes of the node
    F other[3] = {F::all(0), F::all(0), F::all(0)};  ///< along those of the box
    float centre[8];                                 ///< of the box, along the axes of the node

    Gaps(const TreePlacement& place, const Box& box, const WideNode& node) {
      F placed = F::load(place.centre_shift), reaches = F::load(place.slack);
      for (int j = 0; j < 3; ++j) {
        placed = mulAdd(F::load(place.centre[j]), F::all(box.centre[j]), placed);
        reaches = mulAdd(F::load(place.reach[j]), F::all(box.half[j]), reaches);
      }
      float reach[8];
      placed.store(centre);
      reaches.store(reach);
      const F dx = F::load(node.centre[0]) - F::all(centre[0]), hx = F::load(node.half[0]);
      const F dy = F::load(node.centre[1]) - F::all(centre[1]), hy = F::load(node.half[1]);
      const F dz = F::load(node.centre[2]) - F::all(centre[2]), hz = F::load(node.half[2]);
      own[0] = abs(dx) - (hx + F::all(reach[0]));
      own[1] = abs(dy) - (hy + F::all(reach[1]));
      own[2] = abs(dz) - (hz + F::all(reach[2]));
      for (int j = 0; j < 3; ++j) {
        const F along = mulAdd(F::all(place.axis[0][j]), dx,
                               mulAdd(F::all(place.axis[1][j]), dy, F::all(place.axis[2][j]) * dz));
        F extent = F::all(reach[3 + j]);
        extent = mulAdd(F::all(place.abs_axis[0][j]), hx, extent);
        extent = mulAdd(F::all(place.abs_axis[1][j]), hy, extent);
        extent = mulAdd(F::all(place.abs_axis[2][j]), hz, extent);
        other[j] = abs(along) - extent;
      }
    }

    /// NaNs do not count.
    [[nodiscard]] F greatest() const {
      F most = F::all(-3e38F);
      for (const F& gap : own) most = max(gap, most);
      for (const F& gap : other) most = max(gap, most);
      return most;
    }
  };

  [[nodiscard]] bool isLarger(const Box& first, const Box& second) const {
    const float size1 = first.half[0] + first.half[1] + first.half[2];
    const float size2 = second.half[0] + second.half[1] + second.half[2];
    return size1 >= size2 * query_.unit;
  }

  /// The box of the lowest lane in `lanes` together with one of the other tree.
  static NodePair named(int side, std::uint32_t node, unsigned lanes, std::uint32_t other_ref) {
    const std::uint32_t ref = 8 * node + static_cast<std::uint32_t>(__builtin_ctz(lanes));
    return side == 0 ? NodePair{{ref, other_ref}} : NodePair{{other_ref, ref}};
  }

  // Leaves. Both are brought to the axes and the unit of the second tree, with the origin at the corner of
  // the leaf of the first.

  /// Eight triangles with what the tests read of them.
  struct Triangles {
    F corner[3][3] = {{F::all(0), F::all(0), F::all(0)},
                      {F::all(0), F::all(0), F::all(0)},
                      {F::all(0), F::all(0), F::all(0)}};
    F low[3] = {F::all(0), F::all(0), F::all(0)};
    F high[3] = {F::all(0), F::all(0), F::all(0)};
    F normal[3] = {F::all(0), F::all(0), F::all(0)};
    F normal_sum = F::all(0);            ///< of the magnitudes
    F edge[2] = {F::all(0), F::all(0)};  ///< sums of the magnitudes of two edges

    void findBoxes() {
      for (int axis = 0; axis < 3; ++axis) {
        low[axis] = min(min(corner[0][axis], corner[1][axis]), corner[2][axis]);
        high[axis] = max(max(corner[0][axis], corner[1][axis]), corner[2][axis]);
      }
    }
    void findPlanes() {
      const F e0[3] = {corner[1][0] - corner[0][0], corner[1][1] - corner[0][1], corner[1][2] - corner[0][2]};
      const F e1[3] = {corner[2][0] - corner[0][0], corner[2][1] - corner[0][1], corner[2][2] - corner[0][2]};
      normal[0] = mulSub(e0[1], e1[2], e0[2] * e1[1]);
      normal[1] = mulSub(e0[2], e1[0], e0[0] * e1[2]);
      normal[2] = mulSub(e0[0], e1[1], e0[1] * e1[0]);
      normal_sum = abs(normal[0]) + abs(normal[1]) + abs(normal[2]);
      edge[0] = abs(e0[0]) + abs(e0[1]) + abs(e0[2]);
      edge[1] = abs(e1[0]) + abs(e1[1]) + abs(e1[2]);
    }
    [[nodiscard]] F offset() const {
      return mulAdd(normal[0], corner[0][0], mulAdd(normal[1], corner[0][1], normal[2] * corner[0][2]));
    }
  };

  /// A leaf of either tree, kept until another one of that tree is loaded.
  struct LoadedLeaf {
    std::uint32_t index = ~0U;
    bool has_planes = false;
    Triangles triangles;
    float low[3], high[3];  ///< of the leaf, seen from its corner
    float size;             ///< no coordinate is greater, seen from its corner
    float error;            ///< of the coordinates
    float flaw;             ///< see `planeFlaw`
  };

  /// The computed normal of a triangle that is no larger than `extent` may be this far from perpendicular to
  /// its edges: 24 units of rounding times the cube of the extent, and some to spare.
  static float planeFlaw(const LoadedLeaf& leaf) {
    float extent = 0;
    for (int i = 0; i < 3; ++i) extent = larger(extent, leaf.high[i] - leaf.low[i]);
    return 2e-6F * extent * extent * extent;
  }

  static constexpr float kGreatestCode = 65535;

  void load1(std::uint32_t index) {
    if (index == first_.index) return;
    const WideLeaf& leaf = query_.tree[0].leaves[index];
    const TreePlacement& place = query_.tree[1].from_other;
    float linear[3][3];
    first_.size = 0;
    for (int i = 0; i < 3; ++i) {
      first_.low[i] = first_.high[i] = 0;
      for (int j = 0; j < 3; ++j) {
        linear[i][j] = static_cast<float>(place.linear[i][j]) * leaf.step[j];
        const float length = kGreatestCode * linear[i][j];
        first_.low[i] += smaller(length, 0);
        first_.high[i] += larger(length, 0);
      }
      first_.size += first_.high[i] - first_.low[i];
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const F x = F::load(&leaf.q[3 * k][0]), y = F::load(&leaf.q[3 * k + 1][0]),
              z = F::load(&leaf.q[3 * k + 2][0]);
      for (int i = 0; i < 3; ++i)
        first_.triangles.corner[k][i] =
            mulAdd(F::all(linear[i][0]), x, mulAdd(F::all(linear[i][1]), y, F::all(linear[i][2]) * z));
    }
    first_.triangles.findBoxes();
    first_.error = leaf.error * place.row_sum;
    first_.flaw = planeFlaw(first_);
    first_.index = index;
    first_.has_planes = false;
  }

  void load2(std::uint32_t index) {
    if (index == second_.index) return;
    const WideLeaf& leaf = query_.tree[1].leaves[index];
    second_.size = 0;
    for (int i = 0; i < 3; ++i) {
      second_.low[i] = 0;
      second_.high[i] = kGreatestCode * leaf.step[i];
      second_.size += second_.high[i];
      for (int k = 0; k < 3; ++k)
        second_.triangles.corner[k][i] = F::load(leaf.q[3 * k + i]) * F::all(leaf.step[i]);
    }
    second_.triangles.findBoxes();
    second_.error = leaf.error;
    second_.flaw = planeFlaw(second_);
    second_.index = index;
    second_.has_planes = false;
  }

  /// The corner of leaf 2, seen from that of leaf 1.
  void findBase(const WideLeaf& leaf1, const WideLeaf& leaf2, float base[3]) const {
    const TreePlacement& place = query_.tree[1].from_other;
    for (int i = 0; i < 3; ++i) {
      const double* row = place.linear[i];
      base[i] = static_cast<float>(double(leaf2.lo[i]) -
                                   (row[0] * double(leaf1.lo[0]) + row[1] * double(leaf1.lo[1]) +
                                    row[2] * double(leaf1.lo[2]) + place.shift[i]));
    }
  }

  const WideQuery& query_;
  LoadedLeaf first_, second_;
};

}  // namespace odemesh
