#include <algorithm>
#include <cmath>
#include <odemesh/sim/column.hpp>
#include <odemesh/sim/random.hpp>

namespace odemesh::sim {
namespace {

// Cells along a side, so that a column of n cells is about twice as high as wide.
std::size_t cellsAlongSide(std::size_t count) {
  std::size_t side = 1;
  while (2 * side * side * side < count) ++side;
  return side;
}

Vec3 cellCentre(std::size_t index, std::size_t side, double cell) {
  const auto at = [&](std::size_t i) {
    return (static_cast<double>(i) - static_cast<double>(side - 1) / 2) * cell;
  };
  const std::size_t layer = index / (side * side);
  return {at(index % side), at(index / side % side), (static_cast<double>(layer) + 0.5) * cell};
}

}  // namespace

Column arrangeColumn(std::span<const double> radii, const ColumnSettings& settings) {
  if (radii.empty()) return {};
  Random random(settings.seed);
  const double cell = 2 * *std::max_element(radii.begin(), radii.end()) * settings.spacing;
  const std::size_t side = cellsAlongSide(radii.size());
  const std::size_t layers = (radii.size() + side * side - 1) / (side * side);
  Column column;
  for (std::size_t i = 0; i < radii.size(); ++i) {
    const double room = cell / 2 - radii[i];
    const Vec3 shift{random.uniform(-room, room), random.uniform(-room, room), random.uniform(-room, room)};
    const Mat3 rotation = random.rotation();
    column.poses.push_back({rotation, cellCentre(i, side, cell) + shift + Vec3{0, 0, settings.bottom}});
  }
  column.radius = static_cast<double>(side) * cell / 2 * std::sqrt(2);
  column.top = settings.bottom + static_cast<double>(layers) * cell;
  return column;
}

}  // namespace odemesh::sim
