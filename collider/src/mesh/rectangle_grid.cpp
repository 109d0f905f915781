#include "mesh/rectangle_grid.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace odemesh {

namespace {

/// There are so many rectangles to a square, if they are spread evenly.
constexpr double kInSquare = 1.5;

/// A grid holds no more numbers of a rectangle than this, on average.
constexpr std::size_t kMostNumbers = 8;

[[nodiscard]] Rectangle around(std::span<const Rectangle> rectangles) {
  Rectangle all = rectangles.front();
  for (const Rectangle& r : rectangles)
    for (int axis = 0; axis < 2; ++axis) {
      all.low[axis] = std::min(all.low[axis], r.low[axis]);
      all.high[axis] = std::max(all.high[axis], r.high[axis]);
    }
  return all;
}

}  // namespace

template <typename OnSquare>
void RectangleGrid::forEachSquare(const Rectangle& r, OnSquare&& on_square) const {
  const std::size_t first = along(0, r.low[0]), last = along(0, r.high[0]);
  for (std::size_t row = along(1, r.low[1]); row <= along(1, r.high[1]); ++row)
    for (std::size_t column = first; column <= last; ++column) on_square(row * count_[0] + column);
}

std::size_t RectangleGrid::numbersOf(std::span<const Rectangle> rectangles) const {
  std::size_t sum = 0;
  for (const Rectangle& r : rectangles)
    sum += (along(0, r.high[0]) - along(0, r.low[0]) + 1) * (along(1, r.high[1]) - along(1, r.low[1]) + 1);
  return sum;
}

/// The finest grid that holds few enough numbers; else one square.
void RectangleGrid::chooseSquares(std::span<const Rectangle> rectangles) {
  const Rectangle all = around(rectangles);
  const double width = all.high[0] - all.low[0], height = all.high[1] - all.low[1];
  const double longest = std::max(width, height), squares = double(rectangles.size()) / kInSquare;
  std::ranges::copy(all.low, low_);
  const double finest = std::min(std::sqrt(squares / (width * height)), squares / longest);
  for (per_square_ = finest; per_square_ * longest >= 1; per_square_ /= 2) {
    count_[0] = static_cast<std::size_t>(width * per_square_) + 1;
    count_[1] = static_cast<std::size_t>(height * per_square_) + 1;
    if (numbersOf(rectangles) <= kMostNumbers * rectangles.size()) return;
  }
  count_[0] = count_[1] = 1;
}

RectangleGrid::RectangleGrid(std::span<const Rectangle> rectangles) {
  chooseSquares(rectangles);
  begin_.assign(count_[0] * count_[1] + 1, 0);
  for (const Rectangle& r : rectangles) forEachSquare(r, [&](std::size_t square) { ++begin_[square + 1]; });
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  numbers_.resize(begin_.back());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (std::uint32_t i = 0; i < rectangles.size(); ++i)
    forEachSquare(rectangles[i], [&](std::size_t square) { numbers_[next[square]++] = i; });
}

}  // namespace odemesh
