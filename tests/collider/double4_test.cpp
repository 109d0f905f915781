// Four doubles at once give what each gives by itself.
#include "simd/double4.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace odemesh::test {
namespace {

using Lanes = std::array<double, 4>;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Lanes kFirst{1.25, -3, kNaN, 1e300};
constexpr Lanes kSecond{1.25, 7, 2, -kInfinity};

[[nodiscard]] Lanes lanesOf(const Double4& x) {
  Lanes out;
  x.store(out.data());
  return out;
}

template <typename Operation>
void expectSameAsSingly(Operation&& operation) {
  const Lanes result = lanesOf(operation(Double4::load(kFirst.data()), Double4::load(kSecond.data())));
  for (std::size_t i = 0; i < 4; ++i) {
    const double expected = operation(kFirst[i], kSecond[i]);
    EXPECT_TRUE(result[i] == expected || (std::isnan(result[i]) && std::isnan(expected))) << i;
  }
}

TEST(Double4, ComputesLaneByLane) {
  expectSameAsSingly([](const auto& a, const auto& b) { return a - b; });
  expectSameAsSingly([](const auto& a, const auto& b) { return a * b; });
}

TEST(Double4, ComparesLaneByLane) {
  const Double4 first = Double4::load(kFirst.data()), second = Double4::load(kSecond.data());
  EXPECT_EQ(first < second, 0b0010U);
  EXPECT_EQ(first <= second, 0b0011U);
  EXPECT_EQ(second < first, 0b1000U);
  EXPECT_EQ(second <= first, 0b1001U);
}

TEST(Double4, RepeatsOneNumber) {
  EXPECT_EQ(lanesOf(Double4::all(0.1)), (Lanes{0.1, 0.1, 0.1, 0.1}));
}

}  // namespace
}  // namespace odemesh::test
