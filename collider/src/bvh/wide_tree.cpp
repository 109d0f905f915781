#include "bvh/wide_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "bvh/aabb.hpp"
#include "bvh/bvh.hpp"
#include "vector_norms.hpp"

namespace odemesh {

class WideTreeBuilder {
 public:
  WideTreeBuilder(WideTree& tree, const Bvh& bvh, std::span<const Vec3> vertices,
                  std::span<const std::uint32_t> corners)
      : tree_(tree), bvh_(bvh), vertices_(vertices), corners_(corners) {
    tree_.origin_ = bvh.origin();
    tree_.scale_ = bvh.scale();
    per_unit_ = 1 / bvh.scale();  // a power of two
    findFills();
    tree_.leaves_.reserve(bvh.items().size() / 4 + 1);
    tree_.nodes_.reserve(bvh.items().size() / 16 + 2);
    tree_.nodes_.emplace_back();
    const Subtree root{0, 0, static_cast<std::uint32_t>(bvh.items().size())};
    setBounds(tree_.nodes_.front(), 0, root);
    const WideChild child = build(root);
    tree_.nodes_.front().child[0] = child;
    tree_.leaves_.shrink_to_fit();
    tree_.nodes_.shrink_to_fit();
  }

 private:
  /// A node of the binary tree and the run of items below it.
  struct Subtree {
    std::uint32_t node, first, end;
  };

  /// How full the wide node would be that a subtree becomes: `count` children that are of lower levels. Level
  /// 0 is a leaf, whose children are triangles.
  struct Fill {
    std::uint8_t level = 0, count = 0;
  };

  /// Bottom up, two subtrees share a wide node as long as their children fit into one. Children of binary
  /// nodes stand behind their parents.
  void findFills() {
    fills_.resize(bvh_.nodeCount());
    for (std::size_t i = fills_.size(); i-- > 0;) {
      const BvhNode& node = bvh_.node(i);
      fills_[i] = node.isLeaf() ? Fill{0, static_cast<std::uint8_t>(node.count)}
                                : joined(fills_[node.first], fills_[node.first + 1]);
    }
  }
  [[nodiscard]] static Fill joined(const Fill& a, const Fill& b) {
    const std::uint8_t level = std::max(a.level, b.level);
    const int count = (a.level == level ? a.count : 1) + (b.level == level ? b.count : 1);
    if (count > WideTree::kWidth) return {static_cast<std::uint8_t>(level + 1), 2};
    return {level, static_cast<std::uint8_t>(count)};
  }

  /// What a subtree becomes: a leaf, or a node whose children are the largest subtrees of lower levels.
  WideChild build(const Subtree& subtree) {
    const int level = fills_[subtree.node].level;
    if (level == 0) return addLeaf(subtree);
    std::array<Subtree, WideTree::kWidth> child;
    int count = 0;
    gather(subtree, level, child, count);
    const std::size_t index = tree_.nodes_.size();
    tree_.nodes_.emplace_back();
    for (int lane = 0; lane < count; ++lane) setBounds(tree_.nodes_[index], lane, child[lane]);
    for (int lane = 0; lane < count; ++lane) {
      const WideChild built = build(child[lane]);
      tree_.nodes_[index].child[lane] = built;
      if (built.isLeaf()) tree_.nodes_[index].leaves |= 1U << lane;
    }
    return WideChild::node(index);
  }

  void gather(const Subtree& subtree, int level, std::array<Subtree, WideTree::kWidth>& child,
              int& count) const {
    if (fills_[subtree.node].level < level) {
      child[count++] = subtree;
      return;
    }
    const std::uint32_t left = bvh_.node(subtree.node).first;
    const std::uint32_t middle = firstItem(left + 1);
    gather({left, subtree.first, middle}, level, child, count);
    gather({left + 1, middle, subtree.end}, level, child, count);
  }

  /// The items of a subtree are a run in the order of leaves; where does it begin?
  [[nodiscard]] std::uint32_t firstItem(std::uint32_t node) const {
    while (!bvh_.node(node).isLeaf()) node = bvh_.node(node).first;
    return bvh_.node(node).first;
  }

  void setBounds(WideNode& out, int lane, const Subtree& subtree) const {
    setBox(out, lane, bvh_.node(subtree.node));
    if (subtree.end - subtree.first <= kMostInSlab) setSlab(out, lane, subtree);
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

  /// Along the mean normal of the triangles, if they lie in much less than the box.
  void setSlab(WideNode& out, int lane, const Subtree& subtree) const {
    const Vec3 along = meanNormal(subtree);
    const double sum = sumOfComponents(along);
    if (!(sum > 0)) return;
    constexpr auto kSteps = static_cast<double>(kSlabSteps);
    double component[3];
    double box = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const auto code = static_cast<std::uint16_t>(std::lround((along[axis] / sum + 1) * kSteps));
      out.direction[axis][lane] = code;
      component[axis] = code / kSteps - 1;
      box += std::abs(component[axis]) * double(out.half[axis][lane]);
    }
    const Vec3 direction{component[0], component[1], component[2]};
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t i = 3 * std::size_t(subtree.first); i < 3 * std::size_t(subtree.end); ++i) {
      const double height = dot(direction, corner(i));
      low = std::min(low, height);
      high = std::max(high, height);
    }
    // Coordinates are at most 1: this is for their rounding, and that of the level and the direction.
    constexpr double kRounding = 1e-6;
    if (!(0.5 * (high - low) + kRounding < kThinShare * box)) return;
    out.level[lane] = static_cast<float>(0.5 * (low + high));
    out.thickness[lane] = floatAbove(0.5 * (high - low) + kRounding);
    out.thin |= 1U << lane;
  }

  [[nodiscard]] Vec3 meanNormal(const Subtree& subtree) const {
    Vec3 out;
    for (std::size_t t = subtree.first; t < subtree.end; ++t) {
      const Vec3 a = corner(3 * t);
      out += cross(corner(3 * t + 1) - a, corner(3 * t + 2) - a);
    }
    return out;
  }

  /// In the frame and unit of the tree.
  [[nodiscard]] Vec3 corner(std::size_t i) const {
    return {coordinate(i, 0), coordinate(i, 1), coordinate(i, 2)};
  }

  WideChild addLeaf(const Subtree& subtree) {
    const std::size_t index = tree_.leaves_.size();
    WideLeaf& leaf = tree_.leaves_.emplace_back();
    leaf.first = subtree.first;
    for (int axis = 0; axis < 3; ++axis) quantise(leaf, axis, subtree);
    return WideChild::leaf(index, subtree.end - subtree.first);
  }

  /// Coordinate `axis` of a corner (three a triangle), in the frame and unit of the tree.
  [[nodiscard]] double coordinate(std::size_t corner, int axis) const {
    return (vertices_[corners_[corner]][axis] - bvh_.origin()[axis]) * per_unit_;
  }

  void quantise(WideLeaf& leaf, int axis, const Subtree& subtree) const {
    constexpr double kMost = 65535;
    std::array<double, std::size_t{3} * WideTree::kWidth> at;
    const std::size_t count = 3 * std::size_t(subtree.end - subtree.first);
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t i = 0; i < count; ++i) {
      at[i] = coordinate(3 * std::size_t(subtree.first) + i, axis);
      low = std::min(low, at[i]);
      high = std::max(high, at[i]);
    }
    leaf.lo[axis] = floatBelow(low);
    leaf.step[axis] = floatAbove((high - double(leaf.lo[axis])) / kMost);
    const auto origin = static_cast<double>(leaf.lo[axis]);
    const auto step = static_cast<double>(leaf.step[axis]);
    auto error = static_cast<double>(leaf.error);
    const double per_step = step > 0 ? 1 / step : 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto q = static_cast<std::uint16_t>(std::clamp((at[i] - origin) * per_step + 0.5, 0.0, kMost));
      leaf.q[3 * (i % 3) + static_cast<std::size_t>(axis)][i / 3] = q;
      error = std::max(error, std::abs(at[i] - (origin + step * q)));
    }
    leaf.error = floatAbove(error);
  }

  /// Larger parts of a surface are rarely flat.
  static constexpr std::size_t kMostInSlab = 128;
  /// Thicker than this share of the box, a slab is not worth a test.
  static constexpr double kThinShare = 0.5;

  WideTree& tree_;
  const Bvh& bvh_;
  std::span<const Vec3> vertices_;
  std::span<const std::uint32_t> corners_;
  std::vector<Fill> fills_;
  double per_unit_ = 1;
};

WideTree::WideTree(const Bvh& bvh, std::span<const Vec3> vertices, std::span<const std::uint32_t> corners) {
  WideTreeBuilder(*this, bvh, vertices, corners);
}

}  // namespace odemesh
