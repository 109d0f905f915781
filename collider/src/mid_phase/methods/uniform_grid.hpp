// Uniform space subdivision (Sinjur): cells as large as the mean triangle along each axis, each with a list
// of the triangles whose boxes reach into it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bvh/aabb.hpp"

namespace odemesh {

/// A range of cells, both ends included.
struct CellRange {
  std::array<int, 3> lo, hi;

  [[nodiscard]] std::size_t count() const {
    return std::size_t(hi[0] - lo[0] + 1) * std::size_t(hi[1] - lo[1] + 1) * std::size_t(hi[2] - lo[2] + 1);
  }
};

class UniformGrid {
 public:
  /// Over `boxes`, at least one, all finite. Where triangles of very different sizes, or long ones along a
  /// diagonal, would lead to more than 16 cells or 32 entries a triangle, cells are doubled until they don't.
  explicit UniformGrid(std::span<const Aabb> boxes);

  [[nodiscard]] const Aabb& bounds() const { return bounds_; }
  [[nodiscard]] const Vec3& cellSize() const { return cell_size_; }
  /// The cells that a box reaches into; a box outside the bounds gets the nearest ones.
  [[nodiscard]] CellRange cellsOf(const Aabb& box) const;
  [[nodiscard]] std::span<const std::uint32_t> items(int x, int y, int z) const;
  /// The cells of an item of the grid.
  [[nodiscard]] const CellRange& cellsOfItem(std::uint32_t item) const { return range_[item]; }
  [[nodiscard]] std::size_t memoryBytes() const;

 private:
  void chooseCells(std::span<const Aabb> boxes);
  void setCellSize(const Vec3& size);
  [[nodiscard]] bool isAffordable(std::span<const Aabb> boxes) const;
  void fill(std::span<const Aabb> boxes);
  [[nodiscard]] int cellAt(double coordinate, int axis) const;
  [[nodiscard]] std::size_t index(int x, int y, int z) const {
    return (std::size_t(z) * std::size_t(count_[1]) + std::size_t(y)) * std::size_t(count_[0]) +
           std::size_t(x);
  }

  Aabb bounds_;
  Vec3 cell_size_;
  std::array<int, 3> count_{1, 1, 1};
  std::vector<std::size_t> begin_;  ///< of each cell in `items_`, and the end of the last
  std::vector<std::uint32_t> items_;
  std::vector<CellRange> range_;
};

}  // namespace odemesh
