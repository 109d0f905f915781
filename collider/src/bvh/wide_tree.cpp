#include "bvh/wide_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "bvh/aabb.hpp"
#include "bvh/bvh.hpp"

namespace odemesh {

class WideTreeBuilder {
 public:
  WideTreeBuilder(WideTree& tree, const Bvh& bvh, std::span<const Vec3> vertices,
                  std::span<const std::uint32_t> corners)
      : tree_(tree), bvh_(bvh), vertices_(vertices), corners_(corners) {
    tree_.origin_ = bvh.origin();
    tree_.scale_ = bvh.scale();
    const auto leaves = static_cast<std::size_t>(std::ranges::count_if(bvh.nodes(), &BvhNode::isLeaf));
    tree_.leaves_.reserve(leaves);
    tree_.nodes_.reserve(leaves / 4 + 2);
    tree_.nodes_.emplace_back();
    WideNode& root = tree_.nodes_.front();
    setBox(root, 0, bvh.node(0));
    const WideChild child = build(bvh.node(0));
    tree_.nodes_.front().child[0] = child;
    tree_.nodes_.shrink_to_fit();
  }

 private:
  /// What `node` becomes: a leaf, or a node with up to eight of its descendants.
  WideChild build(const BvhNode& node) {
    if (node.isLeaf()) return addLeaf(node);
    std::array<const BvhNode*, WideTree::kWidth> child;
    const int count = widen(node, child);
    const std::size_t index = tree_.nodes_.size();
    tree_.nodes_.emplace_back();
    for (int lane = 0; lane < count; ++lane) setBox(tree_.nodes_[index], lane, *child[lane]);
    for (int lane = 0; lane < count; ++lane) {
      const WideChild built = build(*child[lane]);
      tree_.nodes_[index].child[lane] = built;
    }
    return WideChild::node(index);
  }

  /// Replaces the child of the greatest area by its two children until there are eight.
  int widen(const BvhNode& node, std::array<const BvhNode*, WideTree::kWidth>& child) const {
    child[0] = &bvh_.node(node.first);
    child[1] = &bvh_.node(node.first + 1);
    int count = 2;
    while (count < WideTree::kWidth) {
      int widest = -1;
      double area = -1;
      for (int i = 0; i < count; ++i) {
        if (child[i]->isLeaf() || halfArea(*child[i]) <= area) continue;
        widest = i;
        area = halfArea(*child[i]);
      }
      if (widest < 0) break;
      const std::uint32_t first = child[widest]->first;
      child[widest] = &bvh_.node(first);
      child[count++] = &bvh_.node(first + 1);
    }
    return count;
  }

  [[nodiscard]] static double halfArea(const BvhNode& node) {
    const Vec3 h = node.halfExtent();
    return h.x * h.y + h.y * h.z + h.z * h.x;
  }

  static void setBox(WideNode& out, int lane, const BvhNode& box) {
    // The search adds up to three half extents and distances in float: some to spare for that.
    constexpr double kRounding = 1 + 1e-6;
    for (int axis = 0; axis < 3; ++axis) {
      const auto centre = static_cast<float>(0.5 * (double(box.lo[axis]) + double(box.hi[axis])));
      const double half =
          std::max(double(centre) - double(box.lo[axis]), double(box.hi[axis]) - double(centre));
      out.centre[axis][lane] = centre;
      out.half[axis][lane] = floatAbove(half * kRounding);
    }
    out.used |= 1U << lane;
  }

  WideChild addLeaf(const BvhNode& node) {
    const auto items = bvh_.items(node);
    const std::size_t index = tree_.leaves_.size();
    WideLeaf& leaf = tree_.leaves_.emplace_back();
    leaf.first = node.first;
    for (int axis = 0; axis < 3; ++axis) quantise(leaf, axis, items);
    return WideChild::leaf(index, items.size());
  }

  /// Coordinate `axis` of corner k of an item, in the frame and unit of the tree.
  [[nodiscard]] double coordinate(std::uint32_t item, int k, int axis) const {
    return (vertices_[corners_[3 * item + k]][axis] - bvh_.origin()[axis]) / bvh_.scale();
  }

  void quantise(WideLeaf& leaf, int axis, std::span<const std::uint32_t> items) const {
    constexpr double kMost = 65535;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const std::uint32_t item : items)
      for (int k = 0; k < 3; ++k) {
        low = std::min(low, coordinate(item, k, axis));
        high = std::max(high, coordinate(item, k, axis));
      }
    leaf.lo[axis] = floatBelow(low);
    leaf.step[axis] = floatAbove((high - double(leaf.lo[axis])) / kMost);
    const double origin = double(leaf.lo[axis]), step = double(leaf.step[axis]);
    double error = double(leaf.error);
    for (std::size_t lane = 0; lane < items.size(); ++lane)
      for (int k = 0; k < 3; ++k) {
        const double x = coordinate(items[lane], k, axis);
        const double q = step > 0 ? std::clamp(std::round((x - origin) / step), 0.0, kMost) : 0;
        leaf.q[3 * k + axis][lane] = static_cast<std::uint16_t>(q);
        error = std::max(error, std::abs(x - (origin + step * q)));
      }
    leaf.error = floatAbove(error);
  }

  WideTree& tree_;
  const Bvh& bvh_;
  std::span<const Vec3> vertices_;
  std::span<const std::uint32_t> corners_;
};

WideTree::WideTree(const Bvh& bvh, std::span<const Vec3> vertices, std::span<const std::uint32_t> corners) {
  WideTreeBuilder(*this, bvh, vertices, corners);
}

}  // namespace odemesh
