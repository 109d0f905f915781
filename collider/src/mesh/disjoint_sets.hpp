// Disjoint sets of elements 0 to n - 1, to be joined.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace odemesh {

/// A union-find forest. The root of a set is its least element.
class DisjointSets {
 public:
  DisjointSets() = default;
  explicit DisjointSets(std::size_t count) { reset(count); }

  /// Each element is a set by itself again. Allocates only beyond the greatest count so far.
  void reset(std::size_t count) {
    parent_.resize(count);
    std::iota(parent_.begin(), parent_.end(), 0U);
  }
  /// Adds an element behind the others, a set by itself.
  void add() { parent_.push_back(static_cast<std::uint32_t>(parent_.size())); }
  [[nodiscard]] std::size_t size() const { return parent_.size(); }

  /// Halves the path that it follows.
  [[nodiscard]] std::uint32_t root(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace odemesh
