// Where to put bodies before they fall: a column of layers in which no two overlap.
#pragma once

#include <cstdint>
#include <odemesh/pose.hpp>
#include <span>
#include <vector>

namespace odemesh::sim {

struct ColumnSettings {
  std::uint64_t seed = 1;
  double spacing = 1.1;  ///< cell size over the largest sphere's diameter; at least 1
  double bottom = 0;     ///< m; the column's lower end, which no sphere reaches below
};

/// Poses of bodies and the size of the cylinder around the z axis that holds them all.
struct Column {
  std::vector<Pose> poses;  ///< of the spheres' centres; rotations uniform at random
  double radius = 0;
  double top = 0;
};

/// A cell of a regular grid for each sphere, about twice as many layers as cells along a side, each sphere
/// moved at random as far as its cell allows. Spheres of `radii` (positive, finite) do not overlap. The same
/// arguments give the same poses everywhere.
[[nodiscard]] Column arrangeColumn(std::span<const double> radii, const ColumnSettings& settings);

}  // namespace odemesh::sim
