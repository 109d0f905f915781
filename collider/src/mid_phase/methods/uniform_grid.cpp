#include "mid_phase/methods/uniform_grid.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mid_phase/methods/pair_method.hpp"

namespace odemesh {

namespace {

constexpr double kCellsPerTriangle = 16;
constexpr double kEntriesPerTriangle = 32;
constexpr double kMaxCellsPerAxis = 1 << 20;

template <class OnCell>
void forEachCell(const CellRange& range, OnCell&& on_cell) {
  for (int z = range.lo[2]; z <= range.hi[2]; ++z)
    for (int y = range.lo[1]; y <= range.hi[1]; ++y)
      for (int x = range.lo[0]; x <= range.hi[0]; ++x) on_cell(x, y, z);
}

[[nodiscard]] Aabb boxOf(const Triangle& t, double slack) {
  Aabb box;
  for (const Vec3& p : t.v) box.grow(p);
  const Vec3 margin{slack, slack, slack};
  return {box.lo - margin, box.hi + margin};
}

/// The triangles of mesh 1 lie in the grid; those of mesh 2 look up the cells that they reach into.
class GridMethod final : public PairMethod {
 public:
  explicit GridMethod(const Mesh& mesh1) : grid_(boxesOf(mesh1)) {}

  void search(const MeshPair& pair, PairCollector& collector) const override {
    const CentredPlacement place(pair);
    const auto count2 = static_cast<std::uint32_t>(pair[1].mesh().triangleCount());
    for (std::uint32_t t2 = 0; t2 < count2; ++t2) {
      const Triangle b = collector.triangle(1, t2);
      const Aabb box = boxOf(b, place.slack);
      if (box.meets(grid_.bounds()) && searchCells(grid_.cellsOf(box), t2, b, collector)) return;
    }
  }
  [[nodiscard]] std::size_t memoryBytes() const override { return grid_.memoryBytes(); }

 private:
  [[nodiscard]] static std::vector<Aabb> boxesOf(const Mesh& mesh) {
    std::vector<Aabb> boxes(mesh.triangleCount());
    for (std::uint32_t t = 0; t < boxes.size(); ++t)
      for (int i = 0; i < 3; ++i) boxes[t].grow(centredCorner(mesh, t, i));
    return boxes;
  }

  [[nodiscard]] bool searchCells(const CellRange& range, std::uint32_t t2, const Triangle& b,
                                 PairCollector& collector) const {
    bool done = false;
    forEachCell(range, [&](int x, int y, int z) {
      if (done) return;
      ++collector.stats.box_tests;
      for (const std::uint32_t t1 : grid_.items(x, y, z)) {
        if (!isFirstShared(range, grid_.cellsOfItem(t1), {x, y, z})) continue;
        done = done || collector.test(t1, collector.triangle(0, t1), t2, b);
      }
    });
    return done;
  }

  /// A pair that shares several cells is tested in one of them: the lowest along every axis.
  [[nodiscard]] static bool isFirstShared(const CellRange& a, const CellRange& b, std::array<int, 3> cell) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (cell[axis] != std::max(a.lo[axis], b.lo[axis])) return false;
    }
    return true;
  }

  UniformGrid grid_;
};

}  // namespace

UniformGrid::UniformGrid(std::span<const Aabb> boxes) {
  for (const Aabb& box : boxes) bounds_.grow(box);
  chooseCells(boxes);
  fill(boxes);
}

void UniformGrid::chooseCells(std::span<const Aabb> boxes) {
  Vec3 mean;
  for (const Aabb& box : boxes) mean += box.extent() / double(boxes.size());
  const Vec3 extent = bounds_.extent();
  // A flat mesh has no extent along an axis, and one layer of cells.
  const double largest = std::max({extent.x, extent.y, extent.z});
  const auto usable = [&](double size) { return size > largest / kMaxCellsPerAxis ? size : largest; };
  setCellSize({usable(mean.x), usable(mean.y), usable(mean.z)});
  while (!isAffordable(boxes)) setCellSize(2 * cell_size_);
}

void UniformGrid::setCellSize(const Vec3& size) {
  cell_size_ = size;
  for (int axis = 0; axis < 3; ++axis) {
    const double cells = std::ceil(bounds_.extent()[axis] / size[axis]);
    count_[std::size_t(axis)] = cells >= 1 ? int(std::min(cells, kMaxCellsPerAxis)) : 1;
  }
}

bool UniformGrid::isAffordable(std::span<const Aabb> boxes) const {
  const auto n = static_cast<double>(boxes.size());
  const double cells = double(count_[0]) * count_[1] * count_[2];
  if (cells <= 1) return true;
  if (cells > 64 + kCellsPerTriangle * n) return false;
  double entries = 0;
  for (const Aabb& box : boxes) entries += double(cellsOf(box).count());
  return entries <= 64 + kEntriesPerTriangle * n;
}

int UniformGrid::cellAt(double coordinate, int axis) const {
  const double cell = std::floor((coordinate - bounds_.lo[axis]) / cell_size_[axis]);
  const int last = count_[std::size_t(axis)] - 1;
  return cell >= last ? last : cell > 0 ? int(cell) : 0;
}

CellRange UniformGrid::cellsOf(const Aabb& box) const {
  CellRange range;
  for (int axis = 0; axis < 3; ++axis) {
    range.lo[std::size_t(axis)] = cellAt(box.lo[axis], axis);
    range.hi[std::size_t(axis)] = cellAt(box.hi[axis], axis);
  }
  return range;
}

std::span<const std::uint32_t> UniformGrid::items(int x, int y, int z) const {
  const std::size_t cell = index(x, y, z);
  return {items_.data() + begin_[cell], begin_[cell + 1] - begin_[cell]};
}

void UniformGrid::fill(std::span<const Aabb> boxes) {
  begin_.assign(std::size_t(count_[0]) * std::size_t(count_[1]) * std::size_t(count_[2]) + 1, 0);
  range_.resize(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    range_[i] = cellsOf(boxes[i]);
    forEachCell(range_[i], [&](int x, int y, int z) { ++begin_[index(x, y, z) + 1]; });
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  items_.resize(begin_.back());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    forEachCell(range_[i],
                [&](int x, int y, int z) { items_[next[index(x, y, z)]++] = static_cast<std::uint32_t>(i); });
  }
}

std::size_t UniformGrid::memoryBytes() const {
  return begin_.size() * sizeof(std::size_t) + items_.size() * sizeof(std::uint32_t) +
         range_.size() * sizeof(CellRange);
}

std::unique_ptr<const PairMethod> makeUniformGrid(const Mesh& mesh1) {
  return std::make_unique<GridMethod>(mesh1);
}

}  // namespace odemesh
