// A binary tree of axis-aligned boxes over the triangles of one mesh. It knows boxes and item numbers, no
// triangles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <odemesh/pose.hpp>
#include <span>
#include <vector>

#include "bvh/aabb.hpp"

namespace odemesh {

/// 32 bytes. Boxes are relative to `Bvh::origin()` and in units of `Bvh::scale()`, in float, rounded
/// outwards.
struct BvhNode {
  float lo[3];
  std::uint32_t first;  ///< inner node: index of the first child, the second follows; leaf: first item
  float hi[3];
  std::uint32_t count;  ///< items in a leaf; 0 for an inner node

  [[nodiscard]] bool isLeaf() const { return count != 0; }
  [[nodiscard]] Vec3 centre() const {
    return {0.5 * (double(lo[0]) + hi[0]), 0.5 * (double(lo[1]) + hi[1]), 0.5 * (double(lo[2]) + hi[2])};
  }
  [[nodiscard]] Vec3 halfExtent() const {
    return {0.5 * (double(hi[0]) - lo[0]), 0.5 * (double(hi[1]) - lo[1]), 0.5 * (double(hi[2]) - lo[2])};
  }
};

class Bvh {
 public:
  static constexpr std::size_t kMaxLeafItems = 4;
  /// No path from the root is longer; searches size their stacks by it.
  static constexpr std::size_t kMaxDepth = 64;

  /// Builds the tree over `boxes`, one an item, by the binned surface area heuristic (Wald 2007). O(n log n).
  /// `boxes` must not be empty, must be finite and lie within 1e100 of the origin. Nodes of up to `unsplit`
  /// items are leaves; so are others, of up to `kMaxLeafItems`, where a split does not pay.
  explicit Bvh(std::span<const Aabb> boxes, std::size_t unsplit = 1);

  [[nodiscard]] const BvhNode& node(std::size_t i) const { return nodes_[i]; }
  [[nodiscard]] std::size_t nodeCount() const { return nodes_.size(); }
  [[nodiscard]] std::span<const BvhNode> nodes() const { return nodes_; }
  /// All items in the order of the leaves.
  [[nodiscard]] std::span<const std::uint32_t> items() const { return items_; }
  /// The items of a leaf.
  [[nodiscard]] std::span<const std::uint32_t> items(const BvhNode& leaf) const {
    return {items_.data() + leaf.first, leaf.count};
  }
  /// Boxes are stored as (p - origin) / scale, so that floats serve meshes of any size anywhere. The scale is
  /// a power of two.
  [[nodiscard]] const Vec3& origin() const { return origin_; }
  [[nodiscard]] double scale() const { return scale_; }
  [[nodiscard]] std::size_t memoryBytes() const {
    return nodes_.size() * sizeof(BvhNode) + items_.size() * sizeof(std::uint32_t);
  }

 private:
  std::vector<BvhNode> nodes_;
  std::vector<std::uint32_t> items_;
  Vec3 origin_;
  double scale_ = 1;

  friend class BvhBuilder;
};

}  // namespace odemesh
