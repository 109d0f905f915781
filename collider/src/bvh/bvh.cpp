#include "bvh/bvh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace odemesh {

namespace {

constexpr int kMostBins = 16;
/// A node of fewer items has as many bins, but no fewer than this.
constexpr int kFewestBins = 4;
/// Down to this depth the heuristic may choose freely; below it, halving keeps the depth bounded.
constexpr int kHeuristicDepth = 32;
/// Cost of testing a pair of boxes in units of the cost of testing a pair of triangles.
constexpr float kBoxTestCost = 0.35F;

/// Where to cut a node: items whose centre falls in a bin below `bin` of `axis` go left.
struct Split {
  int axis = -1;
  int bin = 0;
  float cost = std::numeric_limits<float>::infinity();
};

/// Three coordinates, and one that is there for vector instructions (of GCC's and Clang's vector extension).
using Float4 [[gnu::vector_size(16)]] = float;

/// A box in the unit of the tree.
struct FloatBox {
  Float4 lo = {kNone, kNone, kNone, 0};
  Float4 hi = {-kNone, -kNone, -kNone, 0};

  void take(const Float4& low, const Float4& high) {
    lo = low < lo ? low : lo;
    hi = high > hi ? high : hi;
  }
  void grow(const FloatBox& b) { take(b.lo, b.hi); }
  /// Twice the centre.
  [[nodiscard]] float centre(int axis) const { return lo[axis] + hi[axis]; }
  [[nodiscard]] float halfArea() const {
    const float x = hi[0] - lo[0], y = hi[1] - lo[1], z = hi[2] - lo[2];
    return x * y + y * z + z * x;
  }

 private:
  static constexpr float kNone = std::numeric_limits<float>::max();
};

struct Item {
  FloatBox box;
  std::uint32_t index;
};

struct Bin {
  FloatBox box;
  std::uint32_t count;
};

/// Puts centres into bins along one axis.
struct Binning {
  float lo, bins_per_length;
  int bins;

  Binning(const FloatBox& centres, int axis, std::size_t count)
      : lo(centres.lo[axis]), bins(static_cast<int>(std::clamp<std::size_t>(count, kFewestBins, kMostBins))) {
    bins_per_length = static_cast<float>(bins) / (centres.hi[axis] - lo);
    if (!std::isfinite(bins_per_length)) bins_per_length = 0;
  }
  /// Else all is in one bin.
  [[nodiscard]] bool isUsable() const { return bins_per_length > 0; }
  [[nodiscard]] int operator()(float centre) const {
    return std::min(static_cast<int>((centre - lo) * bins_per_length), bins - 1);
  }
};

/// A power of two near the largest half extent.
[[nodiscard]] double powerOfTwoScale(const Vec3& extent) {
  const double half = 0.5 * std::max({extent.x, extent.y, extent.z});
  return half > 0 ? std::exp2(std::ceil(std::log2(half))) : 1.0;
}

}  // namespace

class BvhBuilder {
 public:
  BvhBuilder(Bvh& tree, std::span<const Aabb> boxes, std::size_t unsplit) : tree_(tree), unsplit_(unsplit) {
    Aabb all;
    for (const Aabb& box : boxes) all.grow(box);
    tree_.origin_ = all.centre();
    tree_.scale_ = powerOfTwoScale(all.extent());
    takeItems(boxes);
    tree_.nodes_.reserve(boxes.size());
    tree_.nodes_.emplace_back();
    build(0, 0, boxes.size(), 0);
    tree_.nodes_.shrink_to_fit();
    tree_.items_.reserve(items_.size());
    for (const Item& item : items_) tree_.items_.push_back(item.index);
  }

 private:
  void takeItems(std::span<const Aabb> boxes) {
    items_.resize(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      items_[i].index = static_cast<std::uint32_t>(i);
      for (int axis = 0; axis < 3; ++axis) {
        items_[i].box.lo[axis] = floatBelow((boxes[i].lo[axis] - tree_.origin_[axis]) / tree_.scale_);
        items_[i].box.hi[axis] = floatAbove((boxes[i].hi[axis] - tree_.origin_[axis]) / tree_.scale_);
      }
    }
  }

  void build(std::size_t node, std::size_t begin, std::size_t end, int depth) {
    FloatBox bounds;
    FloatBox centres;
    for (std::size_t i = begin; i < end; ++i) {
      const FloatBox& box = items_[i].box;
      bounds.grow(box);
      centres.take(box.lo + box.hi, box.lo + box.hi);
    }
    for (int axis = 0; axis < 3; ++axis) {
      tree_.nodes_[node].lo[axis] = bounds.lo[axis];
      tree_.nodes_[node].hi[axis] = bounds.hi[axis];
    }
    const std::size_t count = end - begin;
    const Split split =
        depth < kHeuristicDepth && count > unsplit_ ? bestSplit(begin, end, centres) : Split{};
    if (isLeaf(count, bounds, split)) {
      setChildren(node, begin, count);
      return;
    }
    const std::size_t middle =
        split.axis < 0 ? cutInHalves(begin, end, centres) : cut(begin, end, centres, split);
    const std::size_t child = tree_.nodes_.size();
    tree_.nodes_.resize(child + 2);
    setChildren(node, child, 0);
    build(child, begin, middle, depth + 1);
    build(child + 1, middle, end, depth + 1);
  }

  void setChildren(std::size_t node, std::size_t first, std::size_t count) {
    tree_.nodes_[node].first = static_cast<std::uint32_t>(first);
    tree_.nodes_[node].count = static_cast<std::uint32_t>(count);
  }

  /// A few items make a leaf unless splitting them pays.
  [[nodiscard]] bool isLeaf(std::size_t count, const FloatBox& bounds, const Split& split) const {
    if (count <= unsplit_) return true;
    if (count > Bvh::kMaxLeafItems) return false;
    const float area = bounds.halfArea();
    return split.axis < 0 || split.cost + 2 * kBoxTestCost * area >= static_cast<float>(count) * area;
  }

  [[nodiscard]] Split bestSplit(std::size_t begin, std::size_t end, const FloatBox& centres) {
    const std::array<Binning, 3> bin_of{Binning(centres, 0, end - begin), Binning(centres, 1, end - begin),
                                        Binning(centres, 2, end - begin)};
    for (auto& bins : bins_) std::fill_n(bins.begin(), bin_of[0].bins, Bin{{}, 0});
    for (std::size_t i = begin; i < end; ++i)
      for (int axis = 0; axis < 3; ++axis) {
        Bin& bin = bins_[axis][bin_of[axis](items_[i].box.centre(axis))];
        bin.box.grow(items_[i].box);
        ++bin.count;
      }
    Split best;
    for (int axis = 0; axis < 3; ++axis)
      if (bin_of[axis].isUsable())
        keepCheapest(axis, std::span(bins_[axis]).first(static_cast<std::size_t>(bin_of[axis].bins)), best);
    return best;
  }

  /// Cost of a cut: the sum over both sides of half area times number of items.
  static void keepCheapest(int axis, std::span<const Bin> bins, Split& best) {
    std::array<float, kMostBins> cost_right;
    FloatBox box;
    std::uint32_t right = 0;
    for (std::size_t bin = bins.size() - 1; bin > 0; --bin) {
      box.grow(bins[bin].box);
      right += bins[bin].count;
      cost_right[bin] = right == 0 ? 0 : box.halfArea() * static_cast<float>(right);
    }
    box = {};
    std::uint32_t left = 0;
    const std::uint32_t total = right + bins[0].count;
    for (std::size_t bin = 1; bin < bins.size(); ++bin) {
      box.grow(bins[bin - 1].box);
      left += bins[bin - 1].count;
      if (left == 0 || left == total) continue;
      const float cost = box.halfArea() * static_cast<float>(left) + cost_right[bin];
      if (cost < best.cost) best = {axis, static_cast<int>(bin), cost};
    }
  }

  [[nodiscard]] std::size_t cut(std::size_t begin, std::size_t end, const FloatBox& centres,
                                const Split& split) {
    const Binning bin_of(centres, split.axis, end - begin);
    const auto first = items_.begin();
    const auto middle = std::partition(first + begin, first + end, [&](const Item& item) {
      return bin_of(item.box.centre(split.axis)) < split.bin;
    });
    return static_cast<std::size_t>(middle - first);
  }

  /// For items that no plane parts (equal centres), and to bound the depth.
  [[nodiscard]] std::size_t cutInHalves(std::size_t begin, std::size_t end, const FloatBox& centres) {
    const float x = centres.hi[0] - centres.lo[0], y = centres.hi[1] - centres.lo[1];
    const float z = centres.hi[2] - centres.lo[2];
    const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    const std::size_t middle = begin + (end - begin) / 2;
    const auto first = items_.begin();
    std::nth_element(first + begin, first + middle, first + end, [&](const Item& a, const Item& b) {
      const float ca = a.box.centre(axis), cb = b.box.centre(axis);
      return ca != cb ? ca < cb : a.index < b.index;
    });
    return middle;
  }

  Bvh& tree_;
  std::size_t unsplit_;
  std::vector<Item> items_;
  std::array<std::array<Bin, kMostBins>, 3> bins_;  ///< by axis
};

Bvh::Bvh(std::span<const Aabb> boxes, std::size_t unsplit) {
  BvhBuilder(*this, boxes, unsplit);
}

}  // namespace odemesh
