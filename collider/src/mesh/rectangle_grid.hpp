// Rectangles by the squares of a grid that they reach into.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace odemesh {

/// Sides along two axes.
struct Rectangle {
  double low[2], high[2];
};

/// Tells which of many rectangles may hold a point.
class RectangleGrid {
 public:
  /// At least one rectangle. Squares are as fine as a few numbers a rectangle allow: long and thin ones reach
  /// into many.
  explicit RectangleGrid(std::span<const Rectangle> rectangles);

  /// The numbers of all rectangles that hold the point, and of others near it, ascending.
  [[nodiscard]] std::span<const std::uint32_t> at(double u, double v) const {
    const std::size_t square = squareAt(u, v);
    return {numbers_.data() + begin_[square], numbers_.data() + begin_[square + 1]};
  }

  /// Beside the grid itself.
  [[nodiscard]] std::size_t memoryBytes() const {
    return (begin_.capacity() + numbers_.capacity()) * sizeof(std::uint32_t);
  }

 private:
  [[nodiscard]] std::size_t along(int axis, double coordinate) const {
    const double square = (coordinate - low_[axis]) * per_square_;
    if (!(square >= 1)) return 0;
    return square < double(count_[axis]) ? static_cast<std::size_t>(square) : count_[axis] - 1;
  }
  [[nodiscard]] std::size_t squareAt(double u, double v) const {
    return along(1, v) * count_[0] + along(0, u);
  }
  template <typename OnSquare>
  void forEachSquare(const Rectangle& r, OnSquare&& on_square) const;
  void chooseSquares(std::span<const Rectangle> rectangles);
  [[nodiscard]] std::size_t numbersOf(std::span<const Rectangle> rectangles) const;

  double low_[2]{};
  double per_square_ = 0;  ///< squares to a length
  std::size_t count_[2]{1, 1};
  std::vector<std::uint32_t> begin_;  ///< by square, into the numbers
  std::vector<std::uint32_t> numbers_;
};

}  // namespace odemesh
