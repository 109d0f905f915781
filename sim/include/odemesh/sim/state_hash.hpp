// FNV-1a over the bit patterns of numbers: equal exactly when the simulated states are equal bit for bit.
#pragma once

#include <bit>
#include <cstdint>
#include <odemesh/pose.hpp>

namespace odemesh::sim {

/// 64-bit FNV-1a (Fowler, Noll and Vo), fed with doubles byte by byte from the lowest, on any machine.
class StateHash {
 public:
  constexpr void add(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (int byte = 0; byte < 8; ++byte) value_ = (value_ ^ (bits >> (8 * byte) & 0xff)) * kPrime;
  }
  constexpr void add(const Vec3& v) { add(v.x), add(v.y), add(v.z); }
  constexpr void add(const Mat3& m) {
    for (const Vec3& row : m.row) add(row);
  }
  [[nodiscard]] constexpr std::uint64_t value() const { return value_; }

 private:
  static constexpr std::uint64_t kPrime = 0x100000001b3;
  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace odemesh::sim
