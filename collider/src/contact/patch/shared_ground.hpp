// What two faces share, seen along a direction.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "contact/projection.hpp"
#include "contact/shadow.hpp"
#include "narrow_phase/triangle.hpp"

namespace odemesh {

class SharedGround {
 public:
  SharedGround(const Projection& onto, const Triangle& a, const Triangle& b)
      : SharedGround(cornersOf(onto, a), cornersOf(onto, b)) {}
  SharedGround(const Outline& a, const Outline& b) : SharedGround(cornersOf(a), cornersOf(b)) {}

  /// Cuts off where `inside`, which is linear, is negative (after Sutherland and Hodgman 1974).
  template <typename Inside>
  void clip(Inside&& inside) {
    const auto before = corners_;
    const std::size_t corners = std::exchange(count_, 0);
    for (std::size_t i = 0; i < corners; ++i) {
      const ShadowPoint &p = before[i], &q = before[i + 1 == corners ? 0 : i + 1];
      const double from = inside(p), to = inside(q);
      if (from >= 0 && count_ < corners_.size()) corners_[count_++] = p;
      if (from * to < 0 && count_ < corners_.size()) corners_[count_++] = between(p, q, from / (from - to));
    }
  }

  /// That of the corners; `at` if there are none.
  [[nodiscard]] ShadowPoint middle(const ShadowPoint& at) const {
    if (count_ == 0) return at;
    ShadowPoint sum{0, 0};
    for (std::size_t i = 0; i < count_; ++i) sum = {sum.u + corners_[i].u, sum.v + corners_[i].v};
    return {sum.u / double(count_), sum.v / double(count_)};
  }

  [[nodiscard]] double area() const {
    double twice = 0;
    for (std::size_t i = 2; i < count_; ++i) twice += turn(corners_[0], corners_[i - 1], corners_[i]);
    return 0.5 * std::abs(twice);
  }

  /// That of a strip as long as it, of the same area; 0 if there is nothing.
  [[nodiscard]] double width() const {
    double longest_sq = 0;
    for (std::size_t i = 0; i < count_; ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const double u = corners_[i].u - corners_[j].u, v = corners_[i].v - corners_[j].v;
        longest_sq = std::max(longest_sq, u * u + v * v);
      }
    return longest_sq > 0 ? area() / std::sqrt(longest_sq) : 0;
  }

 private:
  using Corners = std::array<ShadowPoint, 3>;

  [[nodiscard]] static Corners cornersOf(const Projection& onto, const Triangle& t) {
    return {onto.of(t.v[0]), onto.of(t.v[1]), onto.of(t.v[2])};
  }
  [[nodiscard]] static Corners cornersOf(const Outline& face) {
    return {face.corner(0), face.corner(1), face.corner(2)};
  }

  SharedGround(const Corners& a, const Corners& b) : count_(a.size()) {
    std::ranges::copy(a, corners_.begin());
    const double winding = turn(b[0], b[1], b[2]);
    for (int side = 0; side < 3; ++side)
      clip([&](const ShadowPoint& p) { return turn(b[side], b[nextCorner(side)], p) * winding; });
  }

  std::array<ShadowPoint, 7> corners_;  ///< room for two triangles, cut once more
  std::size_t count_;
};

}  // namespace odemesh
