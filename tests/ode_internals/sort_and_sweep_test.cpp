// Boxes that meet, against all pairs.
#include "ode/sort_and_sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace odemesh::test {
namespace {

using ode::Box;
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// On a coarse lattice, so that many touch, some off it by less than floats tell; some without bounds, or
/// without a number, beside x.
[[nodiscard]] std::vector<Box> randomBoxes(std::mt19937_64& random, std::size_t count) {
  constexpr dReal kEndless = std::numeric_limits<dReal>::infinity();
  std::vector<Box> boxes(count);
  for (Box& box : boxes) {
    for (std::size_t axis = 0; axis < 6; axis += 2) {
      box.side[axis] = dReal(random() % 12) + (random() % 4 == 0 ? dReal(1e-9) : dReal(0));
      box.side[axis + 1] = box.side[axis] + dReal(random() % 4);
    }
    if (random() % 16 == 0) box.side[2] = -(box.side[3] = kEndless);
    if (random() % 16 == 0) box.side[4] = std::numeric_limits<dReal>::quiet_NaN();
  }
  return boxes;
}

[[nodiscard]] Pairs sorted(Pairs pairs) {
  for (auto& [a, b] : pairs)
    if (a > b) std::swap(a, b);
  std::ranges::sort(pairs);
  return pairs;
}

TEST(SortAndSweep, FindsAllBoxesThatMeet) {
  std::mt19937_64 random(3);
  std::vector<ode::RoundedBox> order;
  std::size_t meeting = 0, listed = 0;
  for (int round = 0; round < 40; ++round) {
    const std::vector<Box> boxes = randomBoxes(random, 60);
    Pairs expected, found;
    for (std::uint32_t i = 0; i < boxes.size(); ++i)
      for (std::uint32_t j = i + 1; j < boxes.size(); ++j)
        if (boxes[i].meets(boxes[j])) expected.emplace_back(i, j);
    std::pair<float, std::uint32_t> last{-1.0F, 0};
    ode::sortAndSweep(
        boxes.size(), order, [&](std::uint32_t i) -> const Box& { return boxes[i]; },
        [&](std::uint32_t i, std::uint32_t j) {
          ++listed;
          const std::pair begin(float(boxes[i].side[0]), i);
          EXPECT_LE(last, begin);
          EXPECT_LE(begin.first, float(boxes[j].side[0]));
          last = begin;
          if (boxes[i].meets(boxes[j])) found.emplace_back(i, j);
        });
    EXPECT_EQ(sorted(found), expected) << round;
    meeting += expected.size();
  }
  EXPECT_GT(meeting, 1000u);
  EXPECT_LT(listed, meeting * 3 / 2);  // and few others, which floats do not tell apart
}

}  // namespace
}  // namespace odemesh::test
