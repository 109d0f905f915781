// How far are boxes of trees at least from each other, and from a point?
#pragma once

#include <algorithm>
#include <cmath>

#include "bvh/wide_walk.hpp"
#include "mid_phase/box_axes.hpp"
#include "mid_phase/pair_method.hpp"

namespace odemesh {

/// The length of what `d` exceeds `reach` by, along each axis.
[[nodiscard]] inline double excess(const Vec3& d, const Vec3& reach) {
  return length({std::max(std::abs(d.x) - reach.x, 0.0), std::max(std::abs(d.y) - reach.y, 0.0),
                 std::max(std::abs(d.z) - reach.z, 0.0)});
}

/// Bounds for boxes of two trees, in the frame and unit of a query.
class BoxDistance {
 public:
  explicit BoxDistance(const MeshPair& pair)
      : a_(pair[0].mesh().wideTree()),
        b_(pair[1].mesh().wideTree()),
        turn_(pair[1].pose().rotation),
        origin_(pair[1].pose().apply(b_.origin()) - pair[0].pose().apply(a_.origin())),
        slack_(CentredPlacement(pair).slack) {}

  /// Never more than the distance of any two points in the boxes: the greater of the bounds along the axes of
  /// either box.
  [[nodiscard]] double operator()(const WideBox& a, const WideBox& b) const {
    const Vec3 half_a = a.half * a_.scale();
    const Vec3 half_b = b.half * b_.scale();
    const Vec3 d = turn_.turn * (b.centre * b_.scale()) + origin_ - a.centre * a_.scale();
    const double along_a = excess(d, half_a + turn_.size * half_b);
    const double along_b = excess(turn_.turn.transposed() * d, half_b + turn_.size.transposed() * half_a);
    return std::max(std::max(along_a, along_b) - slack_, 0.0);
  }

 private:
  const WideTree& a_;
  const WideTree& b_;
  BoxTurn turn_;
  Vec3 origin_;
  double slack_;
};

}  // namespace odemesh
