// Boxes that meet along x, in the order in which ODE's own sweep-and-prune space reports pairs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace odemesh::ode {

/// A box's place on the axis along which they are sorted.
struct Place {
  float low;
  std::uint32_t index;
};

/// Calls `on_pair(i, j)` for boxes of `count` whose extents along x meet, by their lower ends as floats,
/// which changes nothing about which boxes meet. `box_at(i)` is a box in ODE's order, none of it a NaN;
/// `order` is room to work in.
template <typename BoxAt, typename OnPair>
void sortAndSweep(std::size_t count, std::vector<Place>& order, const BoxAt& box_at, const OnPair& on_pair) {
  order.clear();
  for (std::uint32_t i = 0; i < count; ++i) order.push_back({float(box_at(i).side[0]), i});
  std::ranges::sort(order, {}, [](const Place& p) { return std::tuple(p.low, p.index); });
  for (auto a = order.begin(); a != order.end(); ++a) {
    const auto high = float(box_at(a->index).side[1]);
    for (auto b = a + 1; b != order.end() && b->low <= high; ++b) on_pair(a->index, b->index);
  }
}

}  // namespace odemesh::ode
