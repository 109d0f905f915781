// Sets over mesh elements that are emptied in constant time and never shrink.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace odemesh {

/// Makes every entry of before look old: entries carry the number of the generation that wrote them. When the
/// numbers run out, all entries are emptied.
template <typename Entry>
void startGeneration(std::uint32_t& current, std::vector<Entry>& entries) {
  if (++current != 0) return;
  entries.assign(entries.size(), Entry{});
  current = 1;
}

/// A set of numbers below a bound.
class Stamps {
 public:
  /// Empties the set and makes room for numbers below `bound`.
  void reset(std::size_t bound) {
    if (stamp_.size() < bound) stamp_.resize(bound, 0);
    startGeneration(current_, stamp_);
  }
  [[nodiscard]] bool contains(std::size_t i) const { return stamp_[i] == current_; }
  /// True if `i` was not in the set before.
  bool insert(std::size_t i) {
    if (stamp_[i] == current_) return false;
    stamp_[i] = current_;
    return true;
  }

 private:
  std::vector<std::uint32_t> stamp_;
  std::uint32_t current_ = 0;
};

/// A map from numbers below a bound to numbers.
class StampedMap {
 public:
  void reset(std::size_t bound) {
    if (entry_.size() < bound) entry_.resize(bound);
    startGeneration(current_, entry_);
  }
  /// Gives `i` the value unless it has one, and returns the one that it has.
  std::uint32_t findOrInsert(std::size_t i, std::uint32_t value, bool& inserted) {
    Entry& entry = entry_[i];
    inserted = entry.stamp != current_;
    if (inserted) entry = {current_, value};
    return entry.value;
  }
  [[nodiscard]] bool contains(std::size_t i) const { return entry_[i].stamp == current_; }
  /// Has `i` this value?
  [[nodiscard]] bool holds(std::size_t i, std::uint32_t value) const {
    return entry_[i].stamp == current_ && entry_[i].value == value;
  }

 private:
  struct Entry {
    std::uint32_t stamp = 0, value = 0;
  };
  std::vector<Entry> entry_;
  std::uint32_t current_ = 0;
};

}  // namespace odemesh
