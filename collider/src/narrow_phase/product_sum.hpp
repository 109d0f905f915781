// An exact sum of products for the whole range of double, for coordinates that expansions can't take.
#pragma once

#include <array>
#include <cstdint>

namespace odemesh {

/// A fixed-point number wide enough for any product of three finite doubles (Kulisch's long accumulator), so
/// that nothing is ever rounded, overflows or underflows. Up to 2^32 products may be added.
class ProductSum {
 public:
  /// Adds a * b * c, all of them finite.
  void add(double a, double b, double c);
  void subtract(double a, double b, double c) { add(-a, b, c); }
  [[nodiscard]] int sign() const;

 private:
  // Limb i counts 2^(kLowestExponent + 32 i). Two's complement.
  static constexpr int kLowestExponent = -3392;
  static constexpr int kLimbs = 206;
  std::array<std::uint32_t, kLimbs> limbs_{};

  void addShifted(const std::uint32_t (&magnitude)[6], int shift, bool negative);
};

}  // namespace odemesh
