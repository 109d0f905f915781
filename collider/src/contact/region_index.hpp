// Lists the elements of each region, so that a region is gathered without looking at the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace odemesh {

class RegionIndex {
 public:
  /// Groups the elements 0..count-1 by `region_of(element)`, keeping their order (a counting sort).
  template <typename RegionOf>
  void build(std::size_t count, std::size_t regions, RegionOf&& region_of) {
    element_.resize(count);
    if (regions == 1) {
      begin_ = {0, static_cast<std::uint32_t>(count)};
      std::iota(element_.begin(), element_.end(), 0U);
      return;
    }
    begin_.assign(regions + 1, 0);
    for (std::size_t i = 0; i < count; ++i) ++begin_[region_of(i) + 1];
    for (std::size_t r = 0; r < regions; ++r) begin_[r + 1] += begin_[r];
    next_.assign(begin_.begin(), begin_.end() - 1);
    for (std::size_t i = 0; i < count; ++i) element_[next_[region_of(i)]++] = static_cast<std::uint32_t>(i);
  }

  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t region) const {
    return {element_.data() + begin_[region], element_.data() + begin_[region + 1]};
  }

 private:
  std::vector<std::uint32_t> begin_, next_, element_;
};

}  // namespace odemesh
