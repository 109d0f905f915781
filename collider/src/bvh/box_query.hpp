// Which items of a tree may meet a box.
#pragma once

#include <array>

#include "bvh/bvh.hpp"

namespace odemesh {

/// Calls `on_item(i)` for each item of the leaves of `bvh` whose box meets `box`, in the order of the leaves.
template <typename OnItem>
void forEachInBox(const Bvh& bvh, const Aabb& box, OnItem&& on_item) {
  const double to_units = 1 / bvh.scale();
  const Aabb wanted{to_units * (box.lo - bvh.origin()), to_units * (box.hi - bvh.origin())};
  std::array<std::uint32_t, 2 * Bvh::kMaxDepth> stack;
  std::size_t size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const BvhNode& node = bvh.node(stack[--size]);
    const Aabb bounds{{node.lo[0], node.lo[1], node.lo[2]}, {node.hi[0], node.hi[1], node.hi[2]}};
    if (!bounds.meets(wanted)) continue;
    if (node.isLeaf()) {
      for (const std::uint32_t i : bvh.items(node)) on_item(i);
    } else {
      stack[size++] = node.first + 1;
      stack[size++] = node.first;
    }
  }
}

}  // namespace odemesh
