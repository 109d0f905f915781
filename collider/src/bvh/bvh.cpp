#include "bvh/bvh.hpp"

#include <array>
#include <numeric>

namespace odemesh {

namespace {

constexpr int kBins = 16;
/// Down to this depth the heuristic may choose freely; below it, halving keeps the depth bounded.
constexpr int kHeuristicDepth = 32;

/// Where to cut a node: items whose centre falls in a bin below `bin` of `axis` go left.
struct Split {
  int axis = -1;
  int bin = 0;
  double cost = std::numeric_limits<double>::infinity();
};

/// A power of two near the largest half extent.
[[nodiscard]] double powerOfTwoScale(const Vec3& extent) {
  const double half = 0.5 * std::max({extent.x, extent.y, extent.z});
  return half > 0 ? std::exp2(std::ceil(std::log2(half))) : 1.0;
}

}  // namespace

class BvhBuilder {
 public:
  BvhBuilder(Bvh& tree, std::span<const Aabb> boxes) : tree_(tree), boxes_(boxes) {
    tree_.items_.resize(boxes.size());
    std::iota(tree_.items_.begin(), tree_.items_.end(), 0U);
    Aabb all;
    for (const Aabb& box : boxes) all.grow(box);
    tree_.origin_ = all.centre();
    tree_.scale_ = powerOfTwoScale(all.extent());
    tree_.nodes_.reserve(boxes.size());
    tree_.nodes_.emplace_back();
    build(0, 0, boxes.size(), 0);
    tree_.nodes_.shrink_to_fit();
  }

 private:
  void build(std::size_t node, std::size_t begin, std::size_t end, int depth) {
    Aabb bounds;
    Aabb centres;
    for (std::size_t i = begin; i < end; ++i) {
      bounds.grow(boxes_[tree_.items_[i]]);
      centres.grow(boxes_[tree_.items_[i]].centre());
    }
    setBox(node, bounds);
    const std::size_t count = end - begin;
    const Split split = depth < kHeuristicDepth && count > 1 ? bestSplit(begin, end, centres) : Split{};
    if (isLeaf(count)) {
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

  void setBox(std::size_t node, const Aabb& bounds) {
    BvhNode& out = tree_.nodes_[node];
    for (int axis = 0; axis < 3; ++axis) {
      out.lo[axis] = floatBelow((bounds.lo[axis] - tree_.origin_[axis]) / tree_.scale_);
      out.hi[axis] = floatAbove((bounds.hi[axis] - tree_.origin_[axis]) / tree_.scale_);
    }
  }

  void setChildren(std::size_t node, std::size_t first, std::size_t count) {
    tree_.nodes_[node].first = static_cast<std::uint32_t>(first);
    tree_.nodes_[node].count = static_cast<std::uint32_t>(count);
  }

  /// A few items make a leaf unless splitting them pays.
  [[nodiscard]] static bool isLeaf(std::size_t count) { return count <= Bvh::kMaxLeafItems; }

  [[nodiscard]] static int binOf(double centre, double lo, double bins_per_length) {
    return std::clamp(static_cast<int>((centre - lo) * bins_per_length), 0, kBins - 1);
  }

  [[nodiscard]] Split bestSplit(std::size_t begin, std::size_t end, const Aabb& centres) const {
    Split best;
    for (int axis = 0; axis < 3; ++axis) {
      const double lo = centres.lo[axis];
      const double bins_per_length = kBins / (centres.hi[axis] - lo);
      if (!std::isfinite(bins_per_length)) continue;
      std::array<Aabb, kBins> bin_box;
      std::array<std::size_t, kBins> bin_count{};
      for (std::size_t i = begin; i < end; ++i) {
        const Aabb& box = boxes_[tree_.items_[i]];
        const int bin = binOf(box.centre()[axis], lo, bins_per_length);
        bin_box[bin].grow(box);
        ++bin_count[bin];
      }
      keepCheapest(axis, bin_box, bin_count, best);
    }
    return best;
  }

  /// Cost of a cut: the sum over both sides of half area times number of items.
  static void keepCheapest(int axis, const std::array<Aabb, kBins>& bin_box,
                           const std::array<std::size_t, kBins>& bin_count, Split& best) {
    std::array<double, kBins> cost_right{};
    Aabb box;
    std::size_t right = 0;
    for (int bin = kBins - 1; bin > 0; --bin) {
      if (bin_count[bin] != 0) box.grow(bin_box[bin]);
      right += bin_count[bin];
      cost_right[bin] = right == 0 ? 0 : box.halfArea() * double(right);
    }
    box = {};
    std::size_t left = 0;
    const std::size_t total = right + bin_count[0];
    for (int bin = 1; bin < kBins; ++bin) {
      if (bin_count[bin - 1] != 0) box.grow(bin_box[bin - 1]);
      left += bin_count[bin - 1];
      if (left == 0 || left == total) continue;
      const double cost = box.halfArea() * double(left) + cost_right[bin];
      if (cost < best.cost) best = {axis, bin, cost};
    }
  }

  [[nodiscard]] std::size_t cut(std::size_t begin, std::size_t end, const Aabb& centres, const Split& split) {
    const double lo = centres.lo[split.axis];
    const double bins_per_length = kBins / (centres.hi[split.axis] - lo);
    const auto first = tree_.items_.begin();
    const auto middle = std::partition(first + begin, first + end, [&](std::uint32_t item) {
      return binOf(boxes_[item].centre()[split.axis], lo, bins_per_length) < split.bin;
    });
    return static_cast<std::size_t>(middle - first);
  }

  /// For items that no plane parts (equal centres), and to bound the depth.
  [[nodiscard]] std::size_t cutInHalves(std::size_t begin, std::size_t end, const Aabb& centres) {
    const Vec3 d = centres.extent();
    const int axis = d.x >= d.y && d.x >= d.z ? 0 : d.y >= d.z ? 1 : 2;
    const std::size_t middle = begin + (end - begin) / 2;
    const auto first = tree_.items_.begin();
    std::nth_element(first + begin, first + middle, first + end, [&](std::uint32_t a, std::uint32_t b) {
      const double ca = boxes_[a].centre()[axis];
      const double cb = boxes_[b].centre()[axis];
      return ca != cb ? ca < cb : a < b;
    });
    return middle;
  }

  Bvh& tree_;
  std::span<const Aabb> boxes_;
};

Bvh::Bvh(std::span<const Aabb> boxes) {
  BvhBuilder(*this, boxes);
}

}  // namespace odemesh
