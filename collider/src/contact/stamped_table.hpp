// A map that is emptied in constant time and never shrinks, for keys that are no small numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "contact/stamps.hpp"

namespace odemesh {

/// A hash table with open addressing. A key has `hash()`, which need not mix its bits.
template <typename Key, typename Value>
class StampedTable {
 public:
  void clear() {
    if (slots_.empty()) slots_.resize(256);
    count_ = 0;
    startGeneration(current_, slots_);
  }

  /// The value of `key`, until the next call. `is_new` says whether there was none; then it is any.
  [[nodiscard]] Value& at(const Key& key, bool& is_new) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    Slot& slot = find(key);
    is_new = slot.generation != current_;
    if (is_new) {
      slot.key = key;
      slot.generation = current_;
      ++count_;
    }
    return slot.value;
  }

 private:
  struct Slot {
    Key key{};
    Value value{};
    std::uint32_t generation = 0;
  };

  Slot& find(const Key& key) {
    const std::uint64_t mixed = key.hash() * 0x9e3779b97f4a7c15ULL;
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
