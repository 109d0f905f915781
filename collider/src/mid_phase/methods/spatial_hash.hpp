// Cells of an endless grid in a hash table (Teschner, Heidelberger, Mueller, Pomeranets and Gross 2003).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bvh/aabb.hpp"

namespace odemesh {

class SpatialHash {
 public:
  /// Enters each item of `boxes` in all cells that its box reaches into. Cells are cubes as wide as the mean
  /// box, doubled until there are no more than 32 entries an item. Boxes that are
  /// not finite may miss each other.
  explicit SpatialHash(std::span<const Aabb> boxes);

  /// Calls `on_item(item)` once for each item that shares a cell with `box`; returns the number of cells
  /// looked up.
  template <class OnItem>
  std::size_t forEachNear(const Aabb& box, OnItem&& on_item) const;

  [[nodiscard]] double cellSize() const { return cell_size_; }
  [[nodiscard]] std::size_t entryCount() const { return entries_.size(); }

 private:
  using Cell = std::array<std::int64_t, 3>;
  struct Range {
    Cell lo, hi;
  };
  struct Entry {
    Cell cell;
    std::uint32_t item;
  };

  [[nodiscard]] Range rangeOf(const Aabb& box) const;
  [[nodiscard]] std::size_t bucketOf(const Cell& cell) const;
  [[nodiscard]] double countEntries(std::span<const Aabb> boxes) const;
  void fill(std::span<const Aabb> boxes);

  template <class OnCell>
  static void forEachCell(const Range& range, OnCell&& on_cell) {
    Cell c{};
    for (c[2] = range.lo[2]; c[2] <= range.hi[2]; ++c[2])
      for (c[1] = range.lo[1]; c[1] <= range.hi[1]; ++c[1])
        for (c[0] = range.lo[0]; c[0] <= range.hi[0]; ++c[0]) on_cell(c);
  }

  Aabb bounds_;
  double cell_size_ = 1;
  std::vector<std::size_t> begin_;  ///< of each bucket in `entries_`, and the end of the last
  std::vector<Entry> entries_;
  std::vector<Range> range_;  ///< of each item
};

template <class OnItem>
std::size_t SpatialHash::forEachNear(const Aabb& box, OnItem&& on_item) const {
  if (range_.empty()) return 0;
  Range range = rangeOf(box);
  const Range all = rangeOf(bounds_);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    range.lo[axis] = std::max(range.lo[axis], all.lo[axis]);
    range.hi[axis] = std::min(range.hi[axis], all.hi[axis]);
    if (range.lo[axis] > range.hi[axis]) return 0;
  }
  std::size_t cells = 0;
  forEachCell(range, [&](const Cell& cell) {
    ++cells;
    const std::size_t bucket = bucketOf(cell);
    for (std::size_t k = begin_[bucket]; k < begin_[bucket + 1]; ++k) {
      const Entry& entry = entries_[k];
      if (entry.cell != cell) continue;  // another cell with the same hash
      bool first = true;                 // of the cells that both share
      for (std::size_t axis = 0; axis < 3; ++axis)
        first = first && cell[axis] == std::max(range.lo[axis], range_[entry.item].lo[axis]);
      if (first) on_item(entry.item);
    }
  });
  return cells;
}

}  // namespace odemesh
