// Finds the shadows over a point: a uniform grid in the plane across the contact direction.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "contact/shadow.hpp"

namespace odemesh {

class ShadowGrid {
 public:
  /// Sorts the shadows into about as many cells as there are shadows. Keeps a reference to them. `reach`: a
  /// point this far outside of a shadow counts as in it.
  void build(const std::vector<Shadow>& shadows, const ShadowPoint& lo, const ShadowPoint& hi, double reach) {
    shadows_ = &shadows;
    reach_ = reach;
    lo_ = lo;
    side_ = std::clamp(static_cast<int>(std::sqrt(double(shadows.size()))), 1, 256);
    cells_per_u_ = cellsPer(hi.u - lo.u);
    cells_per_v_ = cellsPer(hi.v - lo.v);
    begin_.assign(std::size_t(side_) * std::size_t(side_) + 1, 0);
    forEachCell([&](std::size_t cell, std::uint32_t) { ++begin_[cell + 1]; });
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    item_.resize(begin_.back());
    next_.assign(begin_.begin(), begin_.end() - 1);
    forEachCell([&](std::size_t cell, std::uint32_t shadow) { item_[next_[cell]++] = shadow; });
  }

  /// Calls `on_shadow` for every shadow that `p` lies in, its border included.
  template <typename OnShadow>
  void at(const ShadowPoint& p, OnShadow&& on_shadow) const {
    const std::size_t cell = cellOf(column(p.u, lo_.u, cells_per_u_), column(p.v, lo_.v, cells_per_v_));
    for (std::uint32_t i = begin_[cell]; i < begin_[cell + 1]; ++i) {
      const Shadow& s = (*shadows_)[item_[i]];
      if (covers(s, p)) on_shadow(s);
    }
  }

 private:
  [[nodiscard]] double cellsPer(double extent) const { return extent > 0 ? side_ / extent : 0; }
  [[nodiscard]] int column(double x, double lo, double cells_per_length) const {
    const double cell = (x - lo) * cells_per_length;  // of a large shadow, far beyond what an int can hold
    return cell > 0 ? static_cast<int>(std::min(cell, side_ - 1.0)) : 0;
  }
  [[nodiscard]] std::size_t cellOf(int u, int v) const {
    return std::size_t(u) * std::size_t(side_) + std::size_t(v);
  }

  template <typename OnCell>
  void forEachCell(OnCell&& on_cell) const {
    for (std::uint32_t i = 0; i < shadows_->size(); ++i) {
      const Shadow& s = (*shadows_)[i];
      const int u_end = column(s.hi.u + reach_, lo_.u, cells_per_u_);
      const int v_begin = column(s.lo.v - reach_, lo_.v, cells_per_v_);
      const int v_end = column(s.hi.v + reach_, lo_.v, cells_per_v_);
      for (int u = column(s.lo.u - reach_, lo_.u, cells_per_u_); u <= u_end; ++u)
        for (int v = v_begin; v <= v_end; ++v)
          if (!isBeside(s, u, v)) on_cell(cellOf(u, v), i);
    }
  }

  /// Does a side of the shadow have all of the cell on its outer side? (Pineda 1988.) Cells at the border
  /// hold all that lies beyond, too.
  [[nodiscard]] bool isBeside(const Shadow& s, int u, int v) const {
    if (u == 0 || v == 0 || u == side_ - 1 || v == side_ - 1) return false;
    const double half_u = 0.5 / cells_per_u_ + reach_, half_v = 0.5 / cells_per_v_ + reach_;
    const ShadowPoint middle{lo_.u + (u + 0.5) / cells_per_u_, lo_.v + (v + 0.5) / cells_per_v_};
    for (int i = 0; i < 3; ++i) {
      const double du = alongU(s, i), dv = alongV(s, i);
      if (du * (middle.v - s.corner[i].v) - dv * (middle.u - s.corner[i].u) +
              1.001 * (std::abs(du) * half_v + std::abs(dv) * half_u) <
          0)
        return true;
    }
    return false;
  }

  [[nodiscard]] bool covers(const Shadow& s, const ShadowPoint& p) const {
    for (int i = 0; i < 3; ++i)
      if (s.isBeyond(i, turn(s.corner[i], s.corner[nextCorner(i)], p), reach_)) return false;
    return true;
  }

  [[nodiscard]] static double alongU(const Shadow& s, int i) {
    return s.corner[nextCorner(i)].u - s.corner[i].u;
  }
  [[nodiscard]] static double alongV(const Shadow& s, int i) {
    return s.corner[nextCorner(i)].v - s.corner[i].v;
  }

  const std::vector<Shadow>* shadows_ = nullptr;
  ShadowPoint lo_{};
  double reach_ = 0;
  int side_ = 1;
  double cells_per_u_ = 0, cells_per_v_ = 0;
  std::vector<std::uint32_t> begin_, next_, item_;
};

}  // namespace odemesh
