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

 private:
  struct Entry {
    std::uint32_t stamp = 0, value = 0;
  };
  std::vector<Entry> entry_;
  std::uint32_t current_ = 0;
};

/// Finds the number of an (edge, face, side) that was met before: a hash table with open addressing.
class CrossingTable {
 public:
  void clear() {
    if (slots_.empty()) slots_.resize(256);
    count_ = 0;
    startGeneration(current_, slots_);
  }

  /// The number stored for the key; `next` is stored and returned if there is none.
  std::uint32_t findOrInsert(std::uint32_t edge, std::uint32_t face, std::uint32_t side, std::uint32_t next) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    Slot& slot = find({edge, face, side});
    if (slot.generation != current_) {
      slot = {{edge, face, side}, next, current_};
      ++count_;
    }
    return slot.number;
  }

 private:
  struct Key {
    std::uint32_t edge, face, side;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Slot {
    Key key{};
    std::uint32_t number = 0;
    std::uint32_t generation = 0;
  };

  Slot& find(const Key& key) {
    const std::uint64_t mixed =
        (std::uint64_t(key.edge) << 33 | std::uint64_t(key.face) << 1 | key.side) * 0x9e3779b97f4a7c15ull;
    std::size_t i = (mixed >> 32) & (slots_.size() - 1);
    while (slots_[i].generation == current_ && !(slots_[i].key == key)) i = (i + 1) & (slots_.size() - 1);
    return slots_[i];
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.generation == current_) find(slot.key) = slot;
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
  std::uint32_t current_ = 0;
};

}  // namespace odemesh
