// The two parallel planes that a leaf lies between, where its triangles are about coplanar: the box of a leaf
// on a slope is much thicker than its surface. A template under the rules of wide_search_impl.hpp.
#pragma once

#include "mid_phase/wide_search.hpp"

namespace odemesh {

/// The slab of one leaf of a tree, for boxes of the other tree. Kept until another leaf is asked for.
template <typename F>
class LeafSlab {
 public:
  /// `place` takes the other tree's boxes to the frame and unit of the leaf's tree.
  void load(const WideLeaf& leaf, WideChild child, const TreePlacement& place) {
    if (child.index() == index_) return;
    index_ = child.index();
    F corner[3][3] = {{F::all(0), F::all(0), F::all(0)},
                      {F::all(0), F::all(0), F::all(0)},
                      {F::all(0), F::all(0), F::all(0)}};
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) corner[k][i] = F::load(leaf.q[3 * k + i]) * F::all(leaf.step[i]);
    float normal[3];
    is_thin_ =
        findNormal(corner, child.triangles(), normal) && findExtent(corner, child.triangles(), normal, leaf);
    if (is_thin_) placeIn(normal, leaf, place);
  }

  /// One bit for each box of `node`, of the other tree, that is certain to lie outside.
  [[nodiscard]] unsigned clearOf(const WideNode& node) const {
    if (!is_thin_) return 0;
    F along = F::all(offset_), reach = F::all(0);
    for (int i = 0; i < 3; ++i) {
      along = along + F::all(direction_[i]) * F::load(node.centre[i]);
      reach = reach + F::all(__builtin_fabsf(direction_[i])) * F::load(node.half[i]);
    }
    return ((along - reach > F::all(high_)) | (F::all(low_) > along + reach)).bits();
  }

 private:
  /// Thinner than this share of the leaf's box along the same direction, a slab is worth a test.
  static constexpr float kThinShare = 0.5F;
  static constexpr float kGreatestCode = 65535;

  /// The unit normal of the triangles in `lanes` together. False if they have none.
  static bool findNormal(const F corner[3][3], unsigned lanes, float normal[3]) {
    F e0[3] = {F::all(0), F::all(0), F::all(0)}, e1[3] = {F::all(0), F::all(0), F::all(0)};
    for (int i = 0; i < 3; ++i) {
      e0[i] = corner[1][i] - corner[0][i];
      e1[i] = corner[2][i] - corner[0][i];
    }
    float length_sq = 0;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      float each[8];
      (e0[j] * e1[k] - e0[k] * e1[j]).store(each);
      normal[i] = 0;
      for (unsigned rest = lanes; rest != 0; rest &= rest - 1) normal[i] += each[__builtin_ctz(rest)];
      length_sq += normal[i] * normal[i];
    }
    if (!(length_sq > 1e-30F)) return false;
    const float per_length = 1 / __builtin_sqrtf(length_sq);
    for (int i = 0; i < 3; ++i) normal[i] *= per_length;
    return true;
  }

  /// Heights of the triangles in `lanes` over the leaf's corner. False if they are no thinner than its box.
  bool findExtent(const F corner[3][3], unsigned lanes, const float normal[3], const WideLeaf& leaf) {
    F lowest = F::all(3e38F), highest = F::all(-3e38F);
    for (int k = 0; k < 3; ++k) {
      const F height = F::all(normal[0]) * corner[k][0] + F::all(normal[1]) * corner[k][1] +
                       F::all(normal[2]) * corner[k][2];
      lowest = min(lowest, height);
      highest = max(highest, height);
    }
    float low[8], high[8];
    lowest.store(low);
    highest.store(high);
    low_ = 3e38F;
    high_ = -3e38F;
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
      const int lane = __builtin_ctz(rest);
      low_ = low[lane] < low_ ? low[lane] : low_;
      high_ = high[lane] > high_ ? high[lane] : high_;
    }
    float box = 0;
    for (int i = 0; i < 3; ++i) box += __builtin_fabsf(normal[i]) * kGreatestCode * leaf.step[i];
    slack_ = 1e-6F * box + 2 * leaf.error;  // at most 1.8 axes
    return high_ - low_ + 2 * slack_ < kThinShare * box;
  }

  /// States the slab in the frame and unit of the other tree. Boxes there have coordinates of at most 1.
  void placeIn(const float normal[3], const WideLeaf& leaf, const TreePlacement& place) {
    double offset = 0;
    for (int i = 0; i < 3; ++i) offset += double(normal[i]) * (place.shift[i] - double(leaf.lo[i]));
    float sum = __builtin_fabsf(static_cast<float>(offset));
    for (int j = 0; j < 3; ++j) {
      double entry = 0;
      for (int i = 0; i < 3; ++i) entry += double(normal[i]) * place.linear[i][j];
      direction_[j] = static_cast<float>(entry);
      sum += 2 * __builtin_fabsf(direction_[j]);
    }
    offset_ = static_cast<float>(offset);
    const float slack = slack_ + 2 * place.margin + 1e-6F * sum;
    low_ -= slack;
    high_ += slack;
  }

  std::uint32_t index_ = ~0U;
  bool is_thin_ = false;
  float direction_[3];
  float offset_, low_, high_, slack_;
};

}  // namespace odemesh
