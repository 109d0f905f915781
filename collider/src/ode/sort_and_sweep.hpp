// Boxes that meet, in the order in which ODE's own sweep-and-prune space reports pairs.
#pragma once

#include <odemesh/odemesh.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace odemesh::ode {

/// A geom's bounds, in ODE's order.
struct Box {
  dReal side[6];

  [[nodiscard]] bool meets(const Box& b) const {
    for (int axis = 0; axis < 6; axis += 2)
      if (!(side[axis] <= b.side[axis + 1] && b.side[axis] <= side[axis + 1])) return false;
    return true;
  }
};

/// The box of this number, rounded: all together in little memory, since most are looked at many times.
struct RoundedBox {
  float low_x, high_x, low_y, high_y, low_z, high_z;
  std::uint32_t index;

  RoundedBox(const Box& box, std::uint32_t number)
      : low_x(float(box.side[0])),
        high_x(float(box.side[1])),
        low_y(float(box.side[2])),
        high_y(float(box.side[3])),
        low_z(float(box.side[4])),
        high_z(float(box.side[5])),
        index(number) {}

  [[nodiscard]] bool meetsAcrossX(const RoundedBox& b) const {
    return low_y <= b.high_y && b.low_y <= high_y && low_z <= b.high_z && b.low_z <= high_z;
  }
};

/// Calls `on_pair(i, j)` for boxes of `count` that meet as floats, and therefore for all that meet, in the
/// order of their lower ends along x. `box_at(i)` is a box, no end of it along x a NaN; `order` is room to
/// work in.
template <typename BoxAt, typename OnPair>
void sortAndSweep(std::size_t count, std::vector<RoundedBox>& order, const BoxAt& box_at,
                  const OnPair& on_pair) {
  order.clear();
  for (std::uint32_t i = 0; i < count; ++i) order.emplace_back(box_at(i), i);
  std::ranges::sort(order, {}, [](const RoundedBox& b) { return std::tuple(b.low_x, b.index); });
  for (auto a = order.begin(); a != order.end(); ++a)
    for (auto b = a + 1; b != order.end() && b->low_x <= a->high_x; ++b)
      if (a->meetsAcrossX(*b)) on_pair(a->index, b->index);
}

}  // namespace odemesh::ode
