// The table that remembers what was worked out for a key until it is cleared.
#include "contact/stamped_table.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "contact/way_memo.hpp"

namespace odemesh {
namespace {

struct Key {
  std::uint32_t number;
  friend bool operator==(const Key&, const Key&) = default;
  [[nodiscard]] std::uint64_t hash() const { return number % 7; }  // many keys in each other's way
};

TEST(StampedTable, KeepsAllValuesWhileItGrowsAndNoneWhenItIsCleared) {
  constexpr std::uint32_t kMany = 1000;
  StampedTable<Key, std::uint32_t> table;
  bool is_new = false;
  for (int round = 0; round < 3; ++round) {
    table.clear();
    for (std::uint32_t i = 0; i < kMany; ++i) {
      table.at({i}, is_new) = 3 * i;
      ASSERT_TRUE(is_new) << i << " in round " << round;
    }
    for (std::uint32_t i = 0; i < kMany; ++i) {
      ASSERT_EQ(table.at({i}, is_new), 3 * i);
      ASSERT_FALSE(is_new);
    }
  }
}

TEST(WayMemo, MeasuresAWayOnceForEachSidePointAndDirection) {
  WayMemo memo;
  memo.clear();
  int measured = 0;
  const auto ask = [&](int side, const Vec3& point, const Vec3& way) {
    return memo.lengthOf(side, point, way, [&] { return double(++measured); });
  };
  const Vec3 point{1, 2, 3}, up{0, 0, 1}, down{0, 0, -1};
  EXPECT_EQ(ask(0, point, up), 1);
  EXPECT_EQ(ask(0, point, down), 2);
  EXPECT_EQ(ask(1, point, up), 3);
  EXPECT_EQ(ask(0, up, point), 4);
  EXPECT_EQ(ask(0, point, up), 1);
  EXPECT_EQ(measured, 4);
  memo.clear();
  EXPECT_EQ(ask(0, point, up), 5);
}

}  // namespace
}  // namespace odemesh
