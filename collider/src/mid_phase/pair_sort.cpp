#include "mid_phase/pair_sort.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace odemesh {

namespace {

using Key = std::uint64_t;

/// Below this, comparing is faster.
constexpr std::size_t kFewPairs = 64;
constexpr int kDigitBits = 8;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
constexpr int kMostDigits = 64 / kDigitBits;

[[nodiscard]] std::size_t digitOf(Key key, int digit) {
  return key >> (kDigitBits * digit) & (kDigits - 1);
}

/// Sorts `keys`, which have no more than `digits` digits, with the help of `other`.
void radixSort(std::vector<Key>& keys, std::vector<Key>& other, int digits) {
  std::array<std::array<std::uint32_t, kDigits>, kMostDigits> place;
  for (int d = 0; d < digits; ++d) place[d].fill(0);
  for (const Key key : keys)
    for (int d = 0; d < digits; ++d) ++place[d][digitOf(key, d)];
  for (int d = 0; d < digits; ++d) {
    std::uint32_t next = 0;
    for (std::uint32_t& count : place[d]) next += std::exchange(count, next);
    for (const Key key : keys) other[place[d][digitOf(key, d)]++] = key;
    keys.swap(other);
  }
}

}  // namespace

void sortPairs(std::span<TrianglePair> pairs) {
  if (pairs.size() < kFewPairs) {
    std::ranges::sort(pairs, {}, [](const TrianglePair& p) { return Key(p.triangle1) << 32 | p.triangle2; });
    return;
  }
  std::uint32_t most1 = 0, most2 = 0;
  for (const TrianglePair& p : pairs) {
    most1 = std::max(most1, p.triangle1);
    most2 = std::max(most2, p.triangle2);
  }
  const int bits2 = std::bit_width(most2);
  const int digits = (std::bit_width(most1) + bits2 + kDigitBits - 1) / kDigitBits;
  static thread_local std::vector<Key> keys, other;
  keys.resize(pairs.size());
  other.resize(pairs.size());
  std::ranges::transform(pairs, keys.begin(),
                         [&](const TrianglePair& p) { return Key(p.triangle1) << bits2 | p.triangle2; });
  radixSort(keys, other, digits);
  std::ranges::transform(keys, pairs.begin(), [&](Key key) {
    return TrianglePair{static_cast<std::uint32_t>(key >> bits2),
                        static_cast<std::uint32_t>(key & ((Key{1} << bits2) - 1))};
  });
}

void sortUnique(std::vector<TrianglePair>& pairs, std::size_t first) {
  const auto begin = pairs.begin() + std::ptrdiff_t(first);
  sortPairs({begin, pairs.end()});
  pairs.erase(std::unique(begin, pairs.end()), pairs.end());
}

}  // namespace odemesh
