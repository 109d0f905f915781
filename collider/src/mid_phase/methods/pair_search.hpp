// Stage 3, the mid phase: finds the leaves of two trees whose boxes overlap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <odemesh/pose.hpp>

#include "bvh/bvh.hpp"
#include "mid_phase/methods/box_overlap.hpp"

namespace odemesh {

/// Calls `on_leaves(items of a, items of b)` for every pair of leaves whose boxes come within `margin` of
/// each other, until it returns true. `b_in_a` takes points of mesh B to the frame of mesh A. Descends the
/// larger box. Returns the number of box pairs tested.
template <typename OnLeaves>
std::size_t searchPairs(const Bvh& a, const Bvh& b, const Pose& b_in_a, double margin, OnLeaves&& on_leaves) {
  struct NodePair {
    std::uint32_t a, b;
  };
  // Each step replaces one pair by two that are one level deeper in one of the trees.
  std::array<NodePair, 2 * Bvh::kMaxDepth + 2> stack;
  std::size_t depth = 0;
  stack[depth++] = {0, 0};

  const BoxOverlap overlap(a, b, b_in_a, margin);
  const auto size = [](const BvhNode& n) {
    const Vec3 h = n.halfExtent();
    return h.x + h.y + h.z;
  };
  std::size_t tests = 0;
  while (depth > 0) {
    const NodePair pair = stack[--depth];
    const BvhNode& node_a = a.node(pair.a);
    const BvhNode& node_b = b.node(pair.b);
    ++tests;
    if (!overlap(node_a, node_b)) continue;
    if (node_a.isLeaf() && node_b.isLeaf()) {
      if (on_leaves(a.items(node_a), b.items(node_b))) break;
    } else if (node_b.isLeaf() || (!node_a.isLeaf() && size(node_a) >= size(node_b) * overlap.unit())) {
      stack[depth++] = {node_a.first + 1, pair.b};
      stack[depth++] = {node_a.first, pair.b};
    } else {
      stack[depth++] = {pair.a, node_b.first + 1};
      stack[depth++] = {pair.a, node_b.first};
    }
  }
  return tests;
}

}  // namespace odemesh
