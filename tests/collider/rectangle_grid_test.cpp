// Rectangles found by the squares of a grid, against a look at all of them.
#include "mesh/rectangle_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace odemesh {
namespace {

[[nodiscard]] bool holds(const Rectangle& r, double u, double v) {
  return r.low[0] <= u && u <= r.high[0] && r.low[1] <= v && v <= r.high[1];
}

/// Every rectangle that holds one of many points is named there, in ascending order. Returns the mean of how
/// many are named.
[[nodiscard]] double namedAround(const std::vector<Rectangle>& rectangles) {
  const RectangleGrid grid(rectangles);
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> place(-0.1, 1.1);
  constexpr int kPoints = 2000;
  std::size_t named = 0;
  for (int i = 0; i < kPoints; ++i) {
    const double u = place(random), v = place(random);
    const std::span<const std::uint32_t> numbers = grid.at(u, v);
    EXPECT_TRUE(std::ranges::is_sorted(numbers));
    for (std::uint32_t k = 0; k < rectangles.size(); ++k) {
      if (!holds(rectangles[k], u, v)) continue;
      EXPECT_TRUE(std::ranges::binary_search(numbers, k)) << u << " " << v;
    }
    named += numbers.size();
  }
  return double(named) / kPoints;
}

[[nodiscard]] std::vector<Rectangle> squares(int count, double hair) {
  std::vector<Rectangle> out;
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) {
      const double u = double(i) / count, v = double(j) / count, size = 1.0 / count + hair;
      out.push_back({{u - hair, v - hair}, {u + size, v + size}});
    }
  return out;
}

TEST(RectangleGrid, NamesFewOfManySquares) {
  EXPECT_LT(namedAround(squares(40, 1e-6)), 6);
}

TEST(RectangleGrid, NamesAllThatHoldAPoint) {
  std::vector<Rectangle> rectangles = squares(20, 1e-6);
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> place(0, 1);
  for (int i = 0; i < 200; ++i) {  // long and thin, some of no area
    const double u = place(random), v = place(random);
    rectangles.push_back({{u, v}, {u + 0.5 * place(random), v}});
    rectangles.push_back({{u, 0}, {u + 1e-3, 1}});
  }
  EXPECT_LT(namedAround(rectangles), 100);
}

TEST(RectangleGrid, HoldsWhatHasNoArea) {
  EXPECT_EQ(namedAround({Rectangle{{0.5, 0.5}, {0.5, 0.5}}, Rectangle{{0.5, 0.5}, {0.5, 0.5}}}), 2);
  EXPECT_LE(namedAround({Rectangle{{0, 0.5}, {0.4, 0.5}}, Rectangle{{0.6, 0.5}, {1, 0.5}}}), 2);
}

}  // namespace
}  // namespace odemesh
