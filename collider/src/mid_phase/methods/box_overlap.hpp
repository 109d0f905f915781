// Do two boxes overlap, one of them turned? The separating axis test on the faces of both (six axes).
#pragma once

#include <cmath>
#include <odemesh/pose.hpp>

#include "bvh/bvh.hpp"
#include "constants.hpp"

namespace odemesh {

/// Takes boxes of tree B to the axes and the unit of tree A, and compares them there.
class BoxOverlap {
 public:
  /// `b_in_a` takes points of mesh B to the frame of mesh A; boxes closer than `margin` count as overlapping.
  BoxOverlap(const Bvh& a, const Bvh& b, const Pose& b_in_a, double margin)
      : rotation_(b_in_a.rotation),
        unit_(b.scale() / a.scale()),
        offset_((b_in_a.apply(b.origin()) - a.origin()) / a.scale()) {
    for (int i = 0; i < 3; ++i)
      abs_rotation_.row[i] = {std::abs(rotation_.row[i].x), std::abs(rotation_.row[i].y),
                              std::abs(rotation_.row[i].z)};
    back_ = rotation_.transposed();
    abs_back_ = abs_rotation_.transposed();
    slack_ = margin / a.scale() + kBoxSlack * (2 + 2 * unit_ + length(offset_));
  }

  [[nodiscard]] bool operator()(const BvhNode& a, const BvhNode& b) const {
    const Vec3 half_a = a.halfExtent();
    const Vec3 half_b = b.halfExtent() * unit_;
    const Vec3 d = rotation_ * (b.centre() * unit_) + offset_ - a.centre();
    const Vec3 reach_a = half_a + abs_rotation_ * half_b;
    if (std::abs(d.x) > reach_a.x + slack_ || std::abs(d.y) > reach_a.y + slack_ ||
        std::abs(d.z) > reach_a.z + slack_)
      return false;
    const Vec3 e = back_ * d;
    const Vec3 reach_b = half_b + abs_back_ * half_a;
    return std::abs(e.x) <= reach_b.x + slack_ && std::abs(e.y) <= reach_b.y + slack_ &&
           std::abs(e.z) <= reach_b.z + slack_;
  }

  /// Sizes of boxes of tree B in the unit of tree A.
  [[nodiscard]] double unit() const { return unit_; }

 private:
  Mat3 rotation_, abs_rotation_, back_, abs_back_;
  double unit_;
  Vec3 offset_;
  double slack_ = 0;
};

}  // namespace odemesh
