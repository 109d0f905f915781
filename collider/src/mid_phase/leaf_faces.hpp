// The triangles of a large leaf one by one, for the boxes of the other tree: a leaf of a bowl or of the walls
// of a room has a box that much of what is in there lies in. A template under the rules of
// wide_search_impl.hpp.
#pragma once

#include "mid_phase/wide_search.hpp"

namespace odemesh {

/// Up to eight triangles of one tree in the frame and unit of the other, each with its extents along the axes
/// there and along its normal. Kept until another leaf is asked for.
template <typename F>
class LeafFaces {
 public:
  /// `place` takes the leaf's tree to the frame and unit of the other.
  void load(const WideLeaf& leaf, WideChild child, const TreePlacement& place) {
    if (child.index() == index_) return;
    index_ = child.index();
    lanes_ = child.triangles();
    F corner[3][3] = {{F::all(0), F::all(0), F::all(0)},
                      {F::all(0), F::all(0), F::all(0)},
                      {F::all(0), F::all(0), F::all(0)}};
    const float size = placeCorners(leaf, place, corner);
    // Boxes of the other tree have coordinates of at most 1.
    slack_ = leaf.error * place.row_sum + place.spare + 1e-6F * (size + 2);
    findExtents(corner);
  }

  /// One bit for each box of `node` in `boxes` that is certain to stay clear of all of the triangles.
  [[nodiscard]] unsigned clearOf(const WideNode& node, unsigned boxes) const {
    const F centre[3] = {F::load(node.centre[0]), F::load(node.centre[1]), F::load(node.centre[2])};
    const F half[3] = {F::load(node.half[0]), F::load(node.half[1]), F::load(node.half[2])};
    for (unsigned rest = lanes_; rest != 0 && boxes != 0; rest &= rest - 1)
      boxes &= clearOf(__builtin_ctz(rest), centre, half);
    return boxes;
  }

 private:
  using Mask = typename F::Mask;
  static constexpr float kGreatestCode = 65535;

  /// Returns at least the sum of the greatest magnitudes of their coordinates.
  static float placeCorners(const WideLeaf& leaf, const TreePlacement& place, F corner[3][3]) {
    float size = 0;
    for (int i = 0; i < 3; ++i) {
      const double* row = place.linear[i];
      const auto base = static_cast<float>(row[0] * double(leaf.lo[0]) + row[1] * double(leaf.lo[1]) +
                                           row[2] * double(leaf.lo[2]) + place.shift[i]);
      size += __builtin_fabsf(base);
      float step[3];
      for (int j = 0; j < 3; ++j) {
        step[j] = static_cast<float>(row[j]) * leaf.step[j];
        size += __builtin_fabsf(step[j]) * kGreatestCode;
      }
      for (std::size_t k = 0; k < 3; ++k) {
        corner[k][i] = F::all(base);
        for (std::size_t j = 0; j < 3; ++j)
          corner[k][i] = mulAdd(F::all(step[j]), F::load(leaf.q[3 * k + j]), corner[k][i]);
      }
    }
    return size;
  }

  void findExtents(const F corner[3][3]) {
    F e0[3] = {F::all(0), F::all(0), F::all(0)}, e1[3] = {F::all(0), F::all(0), F::all(0)};
    for (int i = 0; i < 3; ++i) {
      e0[i] = corner[1][i] - corner[0][i];
      e1[i] = corner[2][i] - corner[0][i];
      min(min(corner[0][i], corner[1][i]), corner[2][i]).store(low_[i]);
      max(max(corner[0][i], corner[1][i]), corner[2][i]).store(high_[i]);
    }
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      (e0[j] * e1[k] - e0[k] * e1[j]).store(normal_[i]);
    }
    shortenNormals();
    F height[3] = {F::all(0), F::all(0), F::all(0)};
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) height[k] = mulAdd(F::load(normal_[i]), corner[k][i], height[k]);
    min(min(height[0], height[1]), height[2]).store(low_[3]);
    max(max(height[0], height[1]), height[2]).store(high_[3]);
  }

  /// To a sum of magnitudes of 1, so that the slack of a coordinate is that of a height too. A triangle
  /// without a normal is a slab of no direction, which nothing is clear of.
  void shortenNormals() {
    for (int lane = 0; lane < 8; ++lane) {
      float sum = 0;
      for (const auto& row : normal_) sum += __builtin_fabsf(row[lane]);
      const float per_sum = sum > 1e-30F && sum < 1e30F ? 1 / sum : 0;
      for (auto& row : normal_) row[lane] *= per_sum;
    }
  }

  [[nodiscard]] unsigned clearOf(int lane, const F centre[3], const F half[3]) const {
    F along = F::all(0), reach = F::all(slack_);
    for (int i = 0; i < 3; ++i) {
      along = mulAdd(F::all(normal_[i][lane]), centre[i], along);
      reach = mulAdd(F::all(__builtin_fabsf(normal_[i][lane])), half[i], reach);
    }
    Mask clear = beyond(3, lane, along, reach);
    for (int i = 0; i < 3; ++i) clear = clear | beyond(i, lane, centre[i], half[i] + F::all(slack_));
    return clear.bits();
  }

  [[nodiscard]] Mask beyond(int axis, int lane, const F& centre, const F& reach) const {
    return (centre - reach > F::all(high_[axis][lane])) | (F::all(low_[axis][lane]) > centre + reach);
  }

  std::uint32_t index_ = ~0U;
  unsigned lanes_ = 0;
  float slack_ = 0;
  float normal_[3][8];
  float low_[4][8], high_[4][8];  ///< along the axes, and along the normal
};

}  // namespace odemesh
