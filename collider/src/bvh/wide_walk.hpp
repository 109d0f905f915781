// Walks a wide tree box by box, in double: for queries of one mesh with something that is no mesh.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <odemesh/pose.hpp>

#include "bvh/aabb.hpp"
#include "bvh/wide_tree.hpp"

namespace odemesh {

/// A box of a wide tree, in its frame and unit.
struct WideBox {
  Vec3 centre, half;
  WideChild child;

  [[nodiscard]] Vec3 low() const { return centre - half; }
  [[nodiscard]] Vec3 high() const { return centre + half; }
  [[nodiscard]] bool meets(const Aabb& box) const { return box.meets({low(), high()}); }
};

/// Boxes are named by node and lane: 8 * node + lane. Number 0 is the box of the whole tree.
[[nodiscard]] inline WideBox boxOf(const WideTree& tree, std::uint32_t number) {
  const WideNode& node = tree.nodes()[number / WideTree::kWidth];
  const std::uint32_t lane = number % WideTree::kWidth;
  return {{double(node.centre[0][lane]), double(node.centre[1][lane]), double(node.centre[2][lane])},
          {double(node.half[0][lane]), double(node.half[1][lane]), double(node.half[2][lane])},
          node.child[lane]};
}

/// Calls `on_box(number)` for the boxes in the node that `child`, not a leaf, names.
template <typename OnBox>
void forEachBox(const WideTree& tree, WideChild child, OnBox&& on_box) {
  const std::uint32_t first = WideTree::kWidth * child.index();
  for (unsigned rest = tree.nodes()[child.index()].used; rest != 0; rest &= rest - 1)
    on_box(first + static_cast<std::uint32_t>(std::countr_zero(rest)));
}

/// Calls `on_triangle(t)` for the triangles of a leaf.
template <typename OnTriangle>
void forEachTriangle(const WideTree& tree, WideChild leaf, OnTriangle&& on_triangle) {
  const std::uint32_t first = tree.leaves()[leaf.index()].first;
  const auto count = static_cast<std::uint32_t>(std::popcount(leaf.triangles()));
  for (std::uint32_t t = first; t < first + count; ++t) on_triangle(t);
}

/// Depth first: calls `on_leaf(leaf)` for the leaves that `enters(box)` lets in, as it does with the boxes
/// above them, until it returns true. Did it?
template <typename Enters, typename OnLeaf>
bool walkLeaves(const WideTree& tree, Enters&& enters, OnLeaf&& on_leaf) {
  std::array<std::uint32_t, WideTree::kMostOpen> stack;
  std::size_t depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const WideBox box = boxOf(tree, stack[--depth]);
    if (!enters(box)) continue;
    if (!box.child.isLeaf())
      forEachBox(tree, box.child, [&](std::uint32_t number) { stack[depth++] = number; });
    else if (on_leaf(box.child))
      return true;
  }
  return false;
}

/// The same, for the triangles in those leaves: calls `on_triangle(t)`.
template <typename Enters, typename OnTriangle>
void walk(const WideTree& tree, Enters&& enters, OnTriangle&& on_triangle) {
  walkLeaves(tree, enters, [&](WideChild leaf) {
    forEachTriangle(tree, leaf, on_triangle);
    return false;
  });
}

}  // namespace odemesh
