// The tree that pair searches walk: nodes of eight boxes, leaves of eight triangles in 16 bits a coordinate,
// laid out for vector instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <odemesh/pose.hpp>
#include <span>
#include <vector>

namespace odemesh {

class Bvh;

/// What a box of a `WideNode` holds: a node, or a leaf of one to eight triangles. The search for AVX2 must
/// not leave a copy of these functions to the linker, hence always inline and no initial value.
class WideChild {
 public:
  WideChild() = default;
  [[nodiscard]] static WideChild node(std::size_t index) {
    return WideChild(static_cast<std::uint32_t>(index));
  }
  [[nodiscard]] static WideChild leaf(std::size_t index, std::size_t triangles) {
    return WideChild(kLeaf | static_cast<std::uint32_t>(triangles - 1) << 28 |
                     static_cast<std::uint32_t>(index));
  }
  [[nodiscard, gnu::always_inline]] bool isLeaf() const { return (bits_ & kLeaf) != 0; }
  [[nodiscard, gnu::always_inline]] std::uint32_t index() const {
    return bits_ & (isLeaf() ? kLeafIndex : ~kLeaf);
  }
  /// One bit for each triangle of a leaf.
  [[nodiscard, gnu::always_inline]] unsigned triangles() const { return (2U << (bits_ >> 28 & 7)) - 1; }

 private:
  static constexpr std::uint32_t kLeaf = 1U << 31;
  static constexpr std::uint32_t kLeafIndex = (1U << 28) - 1;
  explicit WideChild(std::uint32_t bits) : bits_(bits) {}
  std::uint32_t bits_;
};

/// Up to eight boxes, relative to the tree's origin and in its unit, rounded outwards. Boxes of a smooth part
/// of a surface are thicker than it. Beside the box, such a part has a slab: the points x with
/// |direction . x - level| <= thickness, where component i of the direction is direction[i] /
/// kSlabSteps - 1, and the sum of their magnitudes is about 1.
struct alignas(32) WideNode {
  float centre[3][8];
  float half[3][8];  ///< half extents
  std::uint16_t direction[3][8];
  float level[8];
  float thickness[8];  ///< half of it
  WideChild child[8];
  std::uint32_t used;    ///< one bit for each box
  std::uint32_t leaves;  ///< one bit for each that holds a leaf
  std::uint32_t thin;    ///< one bit for each with a slab
};

/// Half of the steps between -1 and 1 in which directions of slabs are kept.
inline constexpr float kSlabSteps = 32767;

/// Up to eight triangles. Coordinate `axis` of corner k of triangle i is lo[axis] + step[axis] * q[3 k +
/// axis][i] in the frame and unit of the tree, and no farther than `error` from the truth.
struct alignas(16) WideLeaf {
  std::uint16_t q[9][8];
  float lo[3];
  float step[3];
  float error;
  std::uint32_t first;  ///< number of the first triangle; the others follow
};

class WideTree {
 public:
  static constexpr int kWidth = 8;
  /// Paths from the root are no longer.
  static constexpr std::size_t kMaxDepth = 64;
  /// Boxes that a walk of one tree has open at most: one makes way for at most eight that are a level deeper.
  static constexpr std::size_t kMostOpen = (kWidth - 1) * kMaxDepth + kWidth;

  /// Collapses `bvh`: subtrees of up to eight items become leaves. Triangle t is the item at place t in the
  /// order of leaves, and has the vertices corners[3 t + k].
  WideTree(const Bvh& bvh, std::span<const Vec3> vertices, std::span<const std::uint32_t> corners);

  /// Node 0 has one box: that of the whole tree.
  [[nodiscard]] const WideNode* nodes() const { return nodes_.data(); }
  [[nodiscard]] const WideLeaf* leaves() const { return leaves_.data(); }
  [[nodiscard]] const Vec3& origin() const { return origin_; }
  [[nodiscard]] double scale() const { return scale_; }
  [[nodiscard]] std::size_t memoryBytes() const {
    return nodes_.size() * sizeof(WideNode) + leaves_.size() * sizeof(WideLeaf);
  }

 private:
  friend class WideTreeBuilder;
  std::vector<WideNode> nodes_;
  std::vector<WideLeaf> leaves_;
  Vec3 origin_;
  double scale_ = 1;
};

}  // namespace odemesh
