// The slab of a leaf, for the triangles of a leaf of the other tree. A template under the rules of
// wide_search_impl.hpp.
#pragma once

#include "mid_phase/wide_search.hpp"

namespace odemesh {

/// The slab of one leaf as it is seen along the axes of tree 2 from the corner of its leaf, heights in the
/// unit of its own tree. Kept until another leaf is asked for.
template <typename F>
class LeafSlab {
 public:
  /// The slab of a leaf of tree 2.
  void load(const SearchTree& tree, std::uint32_t ref) {
    if (!take(tree, ref)) return;
    for (int j = 0; j < 3; ++j) direction_[j] = own_[j];
    stretch_ = 1;
  }
  /// The slab of a leaf of tree 1, which `from_other` takes tree 2 to.
  void loadTurned(const SearchTree& tree, std::uint32_t ref) {
    if (!take(tree, ref)) return;
    const TreePlacement& place = tree.from_other;
    for (int j = 0; j < 3; ++j) {
      direction_[j] = 0;
      for (int i = 0; i < 3; ++i) direction_[j] += own_[i] * static_cast<float>(place.linear[i][j]);
    }
    stretch_ = place.row_sum;
  }

  /// One bit for each triangle that stays clear of the slab. Their corners are seen from one that lies
  /// `sign * base` from that of the slab's leaf, and are off by no more than `error`, of which half is more
  /// than what sums of their coordinates lose. They move by `half_way`, along the axes of tree 2, forth and
  /// back, unless that is null.
  [[nodiscard]] unsigned clearOf(const F corner[3][3], const float base[3], float sign, float error,
                                 const float* half_way) const {
    if (!is_thin_) return 0;
    float level = level_;
    for (int i = 0; i < 3; ++i) level -= sign * direction_[i] * base[i];
    F height[3] = {F::all(-level), F::all(-level), F::all(-level)};
    for (int i = 0; i < 3; ++i) {
      const F along = F::all(direction_[i]);
      for (int k = 0; k < 3; ++k) height[k] = mulAdd(along, corner[k][i], height[k]);
    }
    const float rise = half_way != nullptr ? riseOf(half_way) : 0;
    const F reach = F::all(reach_ + stretch_ * error + rise);
    const F low = min(min(height[0], height[1]), height[2]), high = max(max(height[0], height[1]), height[2]);
    return ((low > reach) | (F::all(0) - reach > high)).bits();
  }

 private:
  [[nodiscard]] float riseOf(const float way[3]) const {
    return __builtin_fabsf(direction_[0] * way[0] + direction_[1] * way[1] + direction_[2] * way[2]);
  }

  /// False if it is kept already, or there is none.
  bool take(const SearchTree& tree, std::uint32_t ref) {
    if (ref == ref_) return false;
    ref_ = ref;
    const WideNode& node = tree.nodes[ref / 8];
    const std::uint32_t lane = ref % 8;
    is_thin_ = (node.thin >> lane & 1) != 0;
    if (!is_thin_) return false;
    const WideLeaf& leaf = tree.leaves[node.child[lane].index()];
    level_ = node.level[lane];
    for (int i = 0; i < 3; ++i) {
      own_[i] = static_cast<float>(node.direction[i][lane]) * (1 / kSlabSteps) - 1;
      level_ -= own_[i] * leaf.lo[i];
    }
    reach_ = node.thickness[lane] + 1e-6F;  // coordinates in a tree are at most 1
    return true;
  }

  std::uint32_t ref_ = ~0U;
  bool is_thin_ = false;
  float own_[3];        ///< along the axes of its tree
  float direction_[3];  ///< a step along axis i of tree 2 leads up by so much
  float level_, reach_;
  float stretch_;  ///< of errors along any axis
};

}  // namespace odemesh
