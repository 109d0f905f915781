#include "narrow_phase/product_sum.hpp"

#include <cmath>

namespace odemesh {
namespace {

/// |x| = mantissa * 2^exponent with a mantissa below 2^53.
struct Decoded {
  std::uint64_t mantissa;
  int exponent;
};

Decoded decode(double x) {
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(x), &exponent);
  return {static_cast<std::uint64_t>(std::ldexp(fraction, 53)), exponent - 53};
}

/// out += a * factor, in limbs of 32 bits, the lowest first.
void multiply(const std::uint32_t (&a)[6], std::uint64_t factor, std::uint32_t (&out)[6]) {
  const std::uint32_t parts[2] = {static_cast<std::uint32_t>(factor),
                                  static_cast<std::uint32_t>(factor >> 32)};
  for (int j = 0; j < 2; ++j) {
    std::uint64_t carry = 0;
    for (int i = 0; i + j < 6; ++i) {
      carry += std::uint64_t{a[i]} * parts[j] + out[i + j];
      out[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
}

}  // namespace

void ProductSum::add(double a, double b, double c) {
  if (a == 0 || b == 0 || c == 0) return;
  const Decoded da = decode(a), db = decode(b), dc = decode(c);
  const std::uint32_t ma[6] = {static_cast<std::uint32_t>(da.mantissa),
                               static_cast<std::uint32_t>(da.mantissa >> 32)};
  std::uint32_t ab[6] = {}, abc[6] = {};
  multiply(ma, db.mantissa, ab);
  multiply(ab, dc.mantissa, abc);
  const bool negative = std::signbit(a) ^ std::signbit(b) ^ std::signbit(c);
  addShifted(abc, da.exponent + db.exponent + dc.exponent - kLowestExponent, negative);
}

void ProductSum::addShifted(const std::uint32_t (&magnitude)[6], int shift, bool negative) {
  const int bits = shift % 32;
  // Two's complement: -x is ~x + 1, and the ones above x have to be carried to the top.
  std::uint64_t carry = negative ? 1 : 0;
  std::uint32_t below = 0;
  for (int i = 0, limb = shift / 32; limb < kLimbs; ++i, ++limb) {
    const std::uint32_t m = i < 6 ? magnitude[i] : 0;
    const std::uint64_t wide = (std::uint64_t{m} << 32 | below) << bits;
    below = m;
    const auto shifted = static_cast<std::uint32_t>(wide >> 32);
    carry += std::uint64_t{limbs_[limb]} + (negative ? ~shifted : shifted);
    limbs_[limb] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
}

int ProductSum::sign() const {
  if (limbs_.back() >> 31) return -1;
  for (const std::uint32_t limb : limbs_) {
    if (limb != 0) return 1;
  }
  return 0;
}

}  // namespace odemesh
