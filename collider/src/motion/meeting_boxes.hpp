// Pairs of boxes of two lists that meet: sort and sweep, in strips.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#include "bvh/aabb.hpp"

namespace odemesh {

/// Finds which boxes of two lists meet. The space is cut into strips across x, twice as wide as the mean box,
/// and each is swept along y. About linear in the number of boxes if they are of like sizes and overlap few
/// of their own list in x and y.
class MeetingBoxes {
 public:
  /// Calls `on_pair(i, j)` once for each pair of things of the first list and of the second whose `box` meet.
  template <typename Boxed, typename OnPair>
  void forEachPair(const std::vector<Boxed>& first, const std::vector<Boxed>& second, OnPair&& on_pair) {
    if (first.empty() || second.empty()) return;
    layStrips(first, second);
    list(first, entries_[0]);
    list(second, entries_[1]);
    auto a = entries_[0].cbegin(), b = entries_[1].cbegin();
    const auto a_end = entries_[0].cend(), b_end = entries_[1].cend();
    const auto offer = [&](const Entry& of_first, const Entry& of_second) {
      const Aabb &box1 = first[of_first.index].box, &box2 = second[of_second.index].box;
      // Boxes that share several strips meet in the first of them.
      if (box1.meets(box2) && stripAt(std::max(box1.lo.x, box2.lo.x)) == of_first.strip)
        on_pair(of_first.index, of_second.index);
    };
    while (a != a_end && b != b_end) {
      if (a->isBefore(*b)) {
        for (auto c = b; c != b_end && c->strip == a->strip && c->low <= first[a->index].box.hi.y; ++c)
          offer(*a, *c);
        ++a;
      } else {
        for (auto c = a; c != a_end && c->strip == b->strip && c->low <= second[b->index].box.hi.y; ++c)
          offer(*c, *b);
        ++b;
      }
    }
  }

 private:
  struct Entry {
    std::uint32_t strip, index;
    double low;

    [[nodiscard]] bool isBefore(const Entry& other) const {
      return std::tie(strip, low) < std::tie(other.strip, other.low);
    }
  };

  static constexpr double kMostStrips = 4096;

  template <typename Boxed>
  void layStrips(const std::vector<Boxed>& first, const std::vector<Boxed>& second) {
    double low = std::numeric_limits<double>::infinity(), high = -low, widths = 0;
    for (const auto* list : {&first, &second})
      for (const Boxed& b : *list) {
        low = std::min(low, b.box.lo.x);
        high = std::max(high, b.box.hi.x);
        widths += b.box.hi.x - b.box.lo.x;
      }
    low_ = low;
    const double width =
        std::max(2 * widths / double(first.size() + second.size()), (high - low) / kMostStrips);
    per_length_ = width > 0 ? 1 / width : 0;
    last_ = numberOf((high - low) * per_length_);
  }

  [[nodiscard]] std::uint32_t stripAt(double x) const {
    return std::min(numberOf((x - low_) * per_length_), last_);
  }

  /// Of strips; of what overflows, the first.
  [[nodiscard]] static std::uint32_t numberOf(double strips) {
    return strips > 0 ? static_cast<std::uint32_t>(std::min(strips, kMostStrips)) : 0;
  }

  template <typename Boxed>
  void list(const std::vector<Boxed>& boxed, std::vector<Entry>& entries) const {
    entries.clear();
    for (std::uint32_t i = 0; i < boxed.size(); ++i) {
      const Aabb& box = boxed[i].box;
      if (!box.meets(box)) continue;  // a corner of it is no number
      for (std::uint32_t strip = stripAt(box.lo.x); strip <= stripAt(box.hi.x); ++strip)
        entries.push_back({strip, i, box.lo.y});
    }
    std::ranges::sort(entries, {}, [](const Entry& e) { return std::tuple(e.strip, e.low, e.index); });
  }

  double low_ = 0, per_length_ = 0;
  std::uint32_t last_ = 0;  ///< strip
  std::array<std::vector<Entry>, 2> entries_;
};

}  // namespace odemesh
