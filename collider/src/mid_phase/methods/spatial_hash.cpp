#include "mid_phase/methods/spatial_hash.hpp"

#include <cmath>
#include <numeric>

namespace odemesh {

namespace {

constexpr double kEntriesPerItem = 32;
/// Cells a side: with more, a query that spans everything would take too long.
constexpr double kMaxHashCellsPerAxis = 256;

}  // namespace

SpatialHash::SpatialHash(std::span<const Aabb> boxes) {
  if (boxes.empty()) return;
  double mean = 0;
  for (const Aabb& box : boxes) {
    bounds_.grow(box);
    const Vec3 d = box.extent();
    mean += (d.x + d.y + d.z) / (3 * static_cast<double>(boxes.size()));
  }
  const Vec3 all = bounds_.extent();
  const double widest = std::max({all.x, all.y, all.z});
  cell_size_ = std::max(mean, widest / kMaxHashCellsPerAxis);
  if (!(cell_size_ > 0)) cell_size_ = 1;
  while (cell_size_ < widest && countEntries(boxes) > kEntriesPerItem * static_cast<double>(boxes.size()))
    cell_size_ *= 2;
  fill(boxes);
}

SpatialHash::Range SpatialHash::rangeOf(const Aabb& box) const {
  Range range{};
  for (int axis = 0; axis < 3; ++axis) {
    const auto cell = [&](double coordinate) {
      const double c = std::floor((coordinate - bounds_.lo[axis]) / cell_size_);
      // NaN, between bounds that are not finite, goes to the first cell with all others of its kind.
      return c > -1 ? static_cast<std::int64_t>(std::min(c, kMaxHashCellsPerAxis + 1)) : std::int64_t{-1};
    };
    range.lo[std::size_t(axis)] = cell(box.lo[axis]);
    range.hi[std::size_t(axis)] = cell(box.hi[axis]);
  }
  return range;
}

/// The primes are those of the paper.
std::size_t SpatialHash::bucketOf(const Cell& cell) const {
  const std::uint64_t h = (static_cast<std::uint64_t>(cell[0]) * 73856093U) ^
                          (static_cast<std::uint64_t>(cell[1]) * 19349663U) ^
                          (static_cast<std::uint64_t>(cell[2]) * 83492791U);
  return h % (begin_.size() - 1);
}

double SpatialHash::countEntries(std::span<const Aabb> boxes) const {
  double entries = 0;
  for (const Aabb& box : boxes) {
    const Range r = rangeOf(box);
    entries += double(r.hi[0] - r.lo[0] + 1) * double(r.hi[1] - r.lo[1] + 1) * double(r.hi[2] - r.lo[2] + 1);
  }
  return entries;
}

void SpatialHash::fill(std::span<const Aabb> boxes) {
  begin_.assign(2 * boxes.size() + 2, 0);
  range_.reserve(boxes.size());
  for (const Aabb& box : boxes) {
    range_.push_back(rangeOf(box));
    forEachCell(range_.back(), [&](const Cell& cell) { ++begin_[bucketOf(cell) + 1]; });
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  entries_.resize(begin_.back());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (std::uint32_t item = 0; item < boxes.size(); ++item) {
    forEachCell(range_[item], [&](const Cell& cell) { entries_[next[bucketOf(cell)]++] = {cell, item}; });
  }
}

}  // namespace odemesh
