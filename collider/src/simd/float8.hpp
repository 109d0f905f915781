// Eight floats, five times: plain C++, SSE2, AVX2, AVX-512 and NEON. All give the same bits: IEEE operations
// one by one, nothing reordered, and nothing fused but `mulAdd` and `mulSub` of the fused types, for bounds
// that are never part of a result.
//
// Code over them is a template on the type. Each of the types is used in one translation unit only, so that
// no function that is compiled for AVX2 can be picked by the linker for a machine without it.
#pragma once

#include <cstdint>

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace odemesh {

/// a * b + c and a * b - c, rounded once where F is fused.
template <typename F>
[[nodiscard]] F mulAdd(const F& a, const F& b, const F& c) {
  return a * b + c;
}
template <typename F>
[[nodiscard]] F mulSub(const F& a, const F& b, const F& c) {
  return a * b - c;
}

class Float8Scalar {
 public:
  /// One bit a lane.
  class Mask {
   public:
    explicit Mask(unsigned bits) : bits_(bits) {}
    [[nodiscard]] unsigned bits() const { return bits_; }
    friend Mask operator&(Mask a, Mask b) { return Mask(a.bits_ & b.bits_); }
    friend Mask operator|(Mask a, Mask b) { return Mask(a.bits_ | b.bits_); }
    friend Mask operator^(Mask a, Mask b) { return Mask(a.bits_ ^ b.bits_); }

   private:
    unsigned bits_;
  };

  [[nodiscard]] static Float8Scalar all(float x) {
    return make([x](int) { return x; });
  }
  [[nodiscard]] static Float8Scalar load(const float* p) {
    return make([p](int i) { return p[i]; });
  }
  [[nodiscard]] static Float8Scalar load(const std::uint16_t* p) {
    return make([p](int i) { return static_cast<float>(p[i]); });
  }
  void store(float* p) const {
    for (int i = 0; i < 8; ++i) p[i] = v_[i];
  }
  friend Float8Scalar operator+(const Float8Scalar& a, const Float8Scalar& b) {
    return make([&](int i) { return a.v_[i] + b.v_[i]; });
  }
  friend Float8Scalar operator-(const Float8Scalar& a, const Float8Scalar& b) {
    return make([&](int i) { return a.v_[i] - b.v_[i]; });
  }
  friend Float8Scalar operator*(const Float8Scalar& a, const Float8Scalar& b) {
    return make([&](int i) { return a.v_[i] * b.v_[i]; });
  }
  // Of two zeros, or of a NaN and a number, the second: as the machine's instruction has it.
  friend Float8Scalar min(const Float8Scalar& a, const Float8Scalar& b) {
    return make([&](int i) { return a.v_[i] < b.v_[i] ? a.v_[i] : b.v_[i]; });
  }
  friend Float8Scalar max(const Float8Scalar& a, const Float8Scalar& b) {
    return make([&](int i) { return a.v_[i] > b.v_[i] ? a.v_[i] : b.v_[i]; });
  }
  friend Float8Scalar abs(const Float8Scalar& a) {
    return make([&](int i) { return __builtin_fabsf(a.v_[i]); });
  }
  /// False where one is NaN.
  friend Mask operator>(const Float8Scalar& a, const Float8Scalar& b) {
    unsigned bits = 0;
    for (int i = 0; i < 8; ++i) bits |= unsigned(a.v_[i] > b.v_[i]) << i;
    return Mask(bits);
  }
  friend Float8Scalar select(Mask m, const Float8Scalar& yes, const Float8Scalar& no) {
    return make([&](int i) { return (m.bits() >> i & 1) != 0 ? yes.v_[i] : no.v_[i]; });
  }

 private:
  template <typename At>
  [[nodiscard]] static Float8Scalar make(At&& at) {
    Float8Scalar out;
    for (int i = 0; i < 8; ++i) out.v_[i] = at(i);
    return out;
  }
  float v_[8];
};

#if defined(__SSE2__)

class Float8Sse2 {
 public:
  struct Mask {
    __m128 low, high;
    [[nodiscard]] unsigned bits() const {
      return static_cast<unsigned>(_mm_movemask_ps(low) | _mm_movemask_ps(high) << 4);
    }
    friend Mask operator&(Mask a, Mask b) { return {_mm_and_ps(a.low, b.low), _mm_and_ps(a.high, b.high)}; }
    friend Mask operator|(Mask a, Mask b) { return {_mm_or_ps(a.low, b.low), _mm_or_ps(a.high, b.high)}; }
    friend Mask operator^(Mask a, Mask b) { return {_mm_xor_ps(a.low, b.low), _mm_xor_ps(a.high, b.high)}; }
  };

  [[nodiscard]] static Float8Sse2 all(float x) { return {_mm_set1_ps(x), _mm_set1_ps(x)}; }
  [[nodiscard]] static Float8Sse2 load(const float* p) { return {_mm_loadu_ps(p), _mm_loadu_ps(p + 4)}; }
  [[nodiscard]] static Float8Sse2 load(const std::uint16_t* p) {
    const __m128i words = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i zero = _mm_setzero_si128();
    return {_mm_cvtepi32_ps(_mm_unpacklo_epi16(words, zero)),
            _mm_cvtepi32_ps(_mm_unpackhi_epi16(words, zero))};
  }
  void store(float* p) const {
    _mm_storeu_ps(p, low_);
    _mm_storeu_ps(p + 4, high_);
  }
  friend Float8Sse2 operator+(Float8Sse2 a, Float8Sse2 b) {
    return {_mm_add_ps(a.low_, b.low_), _mm_add_ps(a.high_, b.high_)};
  }
  friend Float8Sse2 operator-(Float8Sse2 a, Float8Sse2 b) {
    return {_mm_sub_ps(a.low_, b.low_), _mm_sub_ps(a.high_, b.high_)};
  }
  friend Float8Sse2 operator*(Float8Sse2 a, Float8Sse2 b) {
    return {_mm_mul_ps(a.low_, b.low_), _mm_mul_ps(a.high_, b.high_)};
  }
  friend Float8Sse2 min(Float8Sse2 a, Float8Sse2 b) {
    return {_mm_min_ps(a.low_, b.low_), _mm_min_ps(a.high_, b.high_)};
  }
  friend Float8Sse2 max(Float8Sse2 a, Float8Sse2 b) {
    return {_mm_max_ps(a.low_, b.low_), _mm_max_ps(a.high_, b.high_)};
  }
  friend Float8Sse2 abs(Float8Sse2 a) {
    const __m128 sign = _mm_set1_ps(-0.0F);
    return {_mm_andnot_ps(sign, a.low_), _mm_andnot_ps(sign, a.high_)};
  }
  friend Mask operator>(Float8Sse2 a, Float8Sse2 b) {
    return {_mm_cmpgt_ps(a.low_, b.low_), _mm_cmpgt_ps(a.high_, b.high_)};
  }
  friend Float8Sse2 select(Mask m, Float8Sse2 yes, Float8Sse2 no) {
    return {_mm_or_ps(_mm_and_ps(m.low, yes.low_), _mm_andnot_ps(m.low, no.low_)),
            _mm_or_ps(_mm_and_ps(m.high, yes.high_), _mm_andnot_ps(m.high, no.high_))};
  }

 private:
  Float8Sse2(__m128 low, __m128 high) : low_(low), high_(high) {}
  __m128 low_, high_;
};

#endif

#if defined(__AVX2__) && defined(__FMA__)

/// `Instructions` tells apart what is compiled for AVX2 and for AVX-512, which is the same source: of the
/// latter, that there are twice as many registers is what serves.
template <typename Instructions, bool fused = false>
class Float8Avx {
 public:
  struct Mask {
    __m256 lanes;
    [[nodiscard]] unsigned bits() const { return static_cast<unsigned>(_mm256_movemask_ps(lanes)); }
    friend Mask operator&(Mask a, Mask b) { return Mask{_mm256_and_ps(a.lanes, b.lanes)}; }
    friend Mask operator|(Mask a, Mask b) { return Mask{_mm256_or_ps(a.lanes, b.lanes)}; }
    friend Mask operator^(Mask a, Mask b) { return Mask{_mm256_xor_ps(a.lanes, b.lanes)}; }
  };

  [[nodiscard]] static Float8Avx all(float x) { return _mm256_set1_ps(x); }
  [[nodiscard]] static Float8Avx load(const float* p) { return _mm256_loadu_ps(p); }
  [[nodiscard]] static Float8Avx load(const std::uint16_t* p) {
    const __m128i words = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    return _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(words));
  }
  void store(float* p) const { _mm256_storeu_ps(p, lanes_); }
  friend Float8Avx operator+(Float8Avx a, Float8Avx b) { return _mm256_add_ps(a.lanes_, b.lanes_); }
  friend Float8Avx operator-(Float8Avx a, Float8Avx b) { return _mm256_sub_ps(a.lanes_, b.lanes_); }
  friend Float8Avx operator*(Float8Avx a, Float8Avx b) { return _mm256_mul_ps(a.lanes_, b.lanes_); }
  friend Float8Avx mulAdd(Float8Avx a, Float8Avx b, Float8Avx c) requires fused {
    return _mm256_fmadd_ps(a.lanes_, b.lanes_, c.lanes_);
  }
  friend Float8Avx mulSub(Float8Avx a, Float8Avx b, Float8Avx c) requires fused {
    return _mm256_fmsub_ps(a.lanes_, b.lanes_, c.lanes_);
  }
  friend Float8Avx min(Float8Avx a, Float8Avx b) { return _mm256_min_ps(a.lanes_, b.lanes_); }
  friend Float8Avx max(Float8Avx a, Float8Avx b) { return _mm256_max_ps(a.lanes_, b.lanes_); }
  friend Float8Avx abs(Float8Avx a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), a.lanes_); }
  friend Mask operator>(Float8Avx a, Float8Avx b) { return {_mm256_cmp_ps(a.lanes_, b.lanes_, _CMP_GT_OQ)}; }
  friend Float8Avx select(Mask m, Float8Avx yes, Float8Avx no) {
    return _mm256_blendv_ps(no.lanes_, yes.lanes_, m.lanes);
  }

 private:
  Float8Avx(__m256 lanes) : lanes_(lanes) {}
  __m256 lanes_;
};

using Float8Avx2 = Float8Avx<struct Avx2>;
using Float8Avx2Fused = Float8Avx<struct Avx2, true>;
using Float8Avx512 = Float8Avx<struct Avx512>;
using Float8Avx512Fused = Float8Avx<struct Avx512, true>;

#endif

#if defined(__aarch64__)

/// Not for 32-bit ARM, whose vectors have no subnormal numbers.
class Float8Neon {
 public:
  struct Mask {
    uint32x4_t low, high;
    [[nodiscard]] unsigned bits() const {
      constexpr std::uint32_t kBit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
      return vaddvq_u32(vorrq_u32(vandq_u32(low, vld1q_u32(kBit)), vandq_u32(high, vld1q_u32(kBit + 4))));
    }
    friend Mask operator&(Mask a, Mask b) { return {vandq_u32(a.low, b.low), vandq_u32(a.high, b.high)}; }
    friend Mask operator|(Mask a, Mask b) { return {vorrq_u32(a.low, b.low), vorrq_u32(a.high, b.high)}; }
    friend Mask operator^(Mask a, Mask b) { return {veorq_u32(a.low, b.low), veorq_u32(a.high, b.high)}; }
  };

  [[nodiscard]] static Float8Neon all(float x) { return {vdupq_n_f32(x), vdupq_n_f32(x)}; }
  [[nodiscard]] static Float8Neon load(const float* p) { return {vld1q_f32(p), vld1q_f32(p + 4)}; }
  [[nodiscard]] static Float8Neon load(const std::uint16_t* p) {
    const uint16x8_t words = vld1q_u16(p);
    return {vcvtq_f32_u32(vmovl_u16(vget_low_u16(words))), vcvtq_f32_u32(vmovl_high_u16(words))};
  }
  void store(float* p) const {
    vst1q_f32(p, low_);
    vst1q_f32(p + 4, high_);
  }
  friend Float8Neon operator+(Float8Neon a, Float8Neon b) {
    return {vaddq_f32(a.low_, b.low_), vaddq_f32(a.high_, b.high_)};
  }
  friend Float8Neon operator-(Float8Neon a, Float8Neon b) {
    return {vsubq_f32(a.low_, b.low_), vsubq_f32(a.high_, b.high_)};
  }
  friend Float8Neon operator*(Float8Neon a, Float8Neon b) {
    return {vmulq_f32(a.low_, b.low_), vmulq_f32(a.high_, b.high_)};
  }
  // By comparison: NEON's own give NaN where one is.
  friend Float8Neon min(Float8Neon a, Float8Neon b) { return select(b > a, a, b); }
  friend Float8Neon max(Float8Neon a, Float8Neon b) { return select(a > b, a, b); }
  friend Float8Neon abs(Float8Neon a) { return {vabsq_f32(a.low_), vabsq_f32(a.high_)}; }
  friend Mask operator>(Float8Neon a, Float8Neon b) {
    return {vcgtq_f32(a.low_, b.low_), vcgtq_f32(a.high_, b.high_)};
  }
  friend Float8Neon select(Mask m, Float8Neon yes, Float8Neon no) {
    return {vbslq_f32(m.low, yes.low_, no.low_), vbslq_f32(m.high, yes.high_, no.high_)};
  }

 private:
  Float8Neon(float32x4_t low, float32x4_t high) : low_(low), high_(high) {}
  float32x4_t low_, high_;
};

#endif

}  // namespace odemesh
