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
  /// Sorts the shadows into about as many cells as there are shadows. Keeps a reference to them.
  void build(const std::vector<Shadow>& shadows, const ShadowPoint& lo, const ShadowPoint& hi) {
    shadows_ = &shadows;
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
    return std::clamp(static_cast<int>((x - lo) * cells_per_length), 0, side_ - 1);
  }
  [[nodiscard]] std::size_t cellOf(int u, int v) const {
    return std::size_t(u) * std::size_t(side_) + std::size_t(v);
  }

  template <typename OnCell>
  void forEachCell(OnCell&& on_cell) const {
    for (std::uint32_t i = 0; i < shadows_->size(); ++i) {
      const Shadow& s = (*shadows_)[i];
      const int u_end = column(s.hi.u, lo_.u, cells_per_u_);
      const int v_begin = column(s.lo.v, lo_.v, cells_per_v_);
      const int v_end = column(s.hi.v, lo_.v, cells_per_v_);
      for (int u = column(s.lo.u, lo_.u, cells_per_u_); u <= u_end; ++u)
        for (int v = v_begin; v <= v_end; ++v) on_cell(cellOf(u, v), i);
    }
  }

  [[nodiscard]] static bool covers(const Shadow& s, const ShadowPoint& p) {
    for (int i = 0; i < 3; ++i) {
      const ShadowPoint& a = s.corner[i];
      const ShadowPoint& b = s.corner[i == 2 ? 0 : i + 1];
      if ((b.u - a.u) * (p.v - a.v) < (b.v - a.v) * (p.u - a.u)) return false;
    }
    return true;
  }

  const std::vector<Shadow>* shadows_ = nullptr;
  ShadowPoint lo_{};
  int side_ = 1;
  double cells_per_u_ = 0, cells_per_v_ = 0;
  std::vector<std::uint32_t> begin_, next_, item_;
};

}  // namespace odemesh
