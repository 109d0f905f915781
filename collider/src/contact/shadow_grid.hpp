// Finds the shadows over a point: a uniform grid in the plane across the contact direction.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "contact/shadow.hpp"

namespace odemesh {

/// Of `Shadow`s or mere `Outline`s.
template <typename Face>
class ShadowGrid {
 public:
  /// Sorts the shadows into about a quarter as many cells as there are shadows. Keeps a reference to them. A
  /// point beside one by `reach` counts as over it.
  void build(const std::vector<Face>& shadows, const ShadowPoint& lo, const ShadowPoint& hi, double reach) {
    shadows_ = &shadows;
    reach_ = reach;
    lo_ = lo;
    side_ = std::clamp(static_cast<int>(0.5 * std::sqrt(double(shadows.size()))), 1, 256);
    cells_per_u_ = cellsPer(hi.u - lo.u);
    cells_per_v_ = cellsPer(hi.v - lo.v);
    begin_.assign(std::size_t(side_) * std::size_t(side_) + 1, 0);
    entries_.clear();
    for (std::uint32_t i = 0; i < shadows.size(); ++i)
      forEachCell(shadows[i], [&](std::uint32_t cell) {
        ++begin_[cell + 1];
        entries_.push_back({cell, i});
      });
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    item_.resize(entries_.size());
    next_.assign(begin_.begin(), begin_.end() - 1);
    for (const Entry& entry : entries_) item_[next_[entry.cell]++] = entry.shadow;
  }

  /// Calls `on_shadow` for every shadow that `p` lies in, its border included.
  template <typename OnShadow>
  void at(const ShadowPoint& p, OnShadow&& on_shadow) const {
    const std::size_t cell = cellOf(column(p.u, lo_.u, cells_per_u_), column(p.v, lo_.v, cells_per_v_));
    for (std::uint32_t i = begin_[cell]; i < begin_[cell + 1]; ++i) {
      const Face& s = (*shadows_)[item_[i]];
      if (isWithinBounds(p, s) && s.covers(p, reach_)) on_shadow(s);
    }
  }

 private:
  [[nodiscard]] double cellsPer(double extent) const { return extent > 0 ? side_ / extent : 0; }
  [[nodiscard]] int column(double x, double lo, double cells_per_length) const {
    const double cell = (x - lo) * cells_per_length;  // of a large shadow, far beyond what an int can hold
    return cell > 0 ? static_cast<int>(std::min(cell, side_ - 1.0)) : 0;
  }
  [[nodiscard]] bool isWithinBounds(const ShadowPoint& p, const Face& s) const {
    return (unsigned(p.u >= s.lo.u - reach_) & unsigned(p.u <= s.hi.u + reach_) &
            unsigned(p.v >= s.lo.v - reach_) & unsigned(p.v <= s.hi.v + reach_)) != 0;
  }
  [[nodiscard]] std::uint32_t cellOf(int u, int v) const { return static_cast<std::uint32_t>(u * side_ + v); }

  template <typename OnCell>
  void forEachCell(const Face& s, OnCell&& on_cell) const {
    const int u_end = column(s.hi.u + reach_, lo_.u, cells_per_u_);
    const int v_begin = column(s.lo.v - reach_, lo_.v, cells_per_v_);
    const int v_end = column(s.hi.v + reach_, lo_.v, cells_per_v_);
    for (int u = column(s.lo.u - reach_, lo_.u, cells_per_u_); u <= u_end; ++u)
      for (int v = v_begin; v <= v_end; ++v) on_cell(cellOf(u, v));
  }

  struct Entry {
    std::uint32_t cell, shadow;
  };

  const std::vector<Face>* shadows_ = nullptr;
  ShadowPoint lo_{};
  double reach_ = 0;
  int side_ = 1;
  double cells_per_u_ = 0, cells_per_v_ = 0;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> begin_, next_, item_;
};

}  // namespace odemesh
