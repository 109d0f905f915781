// Values decoded from a fuzzer's bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

namespace odemesh::fuzz {

/// Gives zeros once the bytes are used up, so that every input decodes to something.
class ByteSource {
 public:
  explicit ByteSource(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  [[nodiscard]] bool empty() const { return bytes_.empty(); }

  std::uint8_t byte() { return value<std::uint8_t>(); }

  /// 0 to n - 1; n up to 256.
  unsigned below(unsigned n) { return byte() % n; }

  template <typename T>
  T value() {
    T out{};
    const std::size_t size = bytes_.size() < sizeof out ? bytes_.size() : sizeof out;
    if (size > 0) std::memcpy(&out, bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
    return out;
  }

  /// Most often a multiple of 1/16 between -6 and 6, so that coordinates coincide; else one near such a
  /// multiple, any bits at all, or one of the usual troublemakers.
  double number() {
    using Limits = std::numeric_limits<double>;
    static constexpr std::array kTroublemakers{Limits::quiet_NaN(),
                                               Limits::infinity(),
                                               -Limits::infinity(),
                                               Limits::denorm_min(),
                                               Limits::min(),
                                               Limits::max(),
                                               1e300,
                                               -1e100,
                                               1e38,
                                               -1e39,
                                               1e18,
                                               1e-18,
                                               1e-38,
                                               1e-45,
                                               1e9,
                                               -0.0};
    const unsigned kind = byte();
    if (kind < 192) return (double(kind) - 96) / 16;
    if (kind < 224) return onGrid() + double(std::int8_t(byte())) * kSteps[kind % kSteps.size()];
    if (kind < 240) return value<double>();
    return kTroublemakers[kind - 240];
  }

  /// Between -8 and 8 in steps of 1/16.
  double onGrid() { return double(std::int8_t(byte())) / 16; }

 private:
  static constexpr std::array kSteps{1e-3, 1e-5, 1e-7, 1e-9, 1e-12, 1e-15, 1e-17, 1e-2};
  std::span<const std::uint8_t> bytes_;
};

}  // namespace odemesh::fuzz
