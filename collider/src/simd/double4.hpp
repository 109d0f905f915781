// Four doubles: SSE2 where the compiler has it, plain C++ elsewhere. Both give the same bits.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace odemesh {

#if defined(__SSE2__)

class Double4 {
 public:
  [[nodiscard]] static Double4 all(double x) { return {_mm_set1_pd(x), _mm_set1_pd(x)}; }
  [[nodiscard]] static Double4 load(const double* p) { return {_mm_loadu_pd(p), _mm_loadu_pd(p + 2)}; }
  void store(double* p) const {
    _mm_storeu_pd(p, low_);
    _mm_storeu_pd(p + 2, high_);
  }
  friend Double4 operator-(const Double4& a, const Double4& b) {
    return {_mm_sub_pd(a.low_, b.low_), _mm_sub_pd(a.high_, b.high_)};
  }
  friend Double4 operator*(const Double4& a, const Double4& b) {
    return {_mm_mul_pd(a.low_, b.low_), _mm_mul_pd(a.high_, b.high_)};
  }
  /// One bit a lane.
  ///@{
  friend unsigned operator<(const Double4& a, const Double4& b) {
    return bits(_mm_cmplt_pd(a.low_, b.low_), _mm_cmplt_pd(a.high_, b.high_));
  }
  friend unsigned operator<=(const Double4& a, const Double4& b) {
    return bits(_mm_cmple_pd(a.low_, b.low_), _mm_cmple_pd(a.high_, b.high_));
  }
  ///@}

 private:
  Double4(__m128d low, __m128d high) : low_(low), high_(high) {}
  static unsigned bits(__m128d low, __m128d high) {
    return static_cast<unsigned>(_mm_movemask_pd(low) | _mm_movemask_pd(high) << 2);
  }

  __m128d low_, high_;
};

#else

class Double4 {
 public:
  [[nodiscard]] static Double4 all(double x) { return {x, x, x, x}; }
  [[nodiscard]] static Double4 load(const double* p) { return {p[0], p[1], p[2], p[3]}; }
  void store(double* p) const {
    for (int i = 0; i < 4; ++i) p[i] = v_[i];
  }
  friend Double4 operator-(const Double4& a, const Double4& b) {
    return {a.v_[0] - b.v_[0], a.v_[1] - b.v_[1], a.v_[2] - b.v_[2], a.v_[3] - b.v_[3]};
  }
  friend Double4 operator*(const Double4& a, const Double4& b) {
    return {a.v_[0] * b.v_[0], a.v_[1] * b.v_[1], a.v_[2] * b.v_[2], a.v_[3] * b.v_[3]};
  }
  /// One bit a lane.
  ///@{
  friend unsigned operator<(const Double4& a, const Double4& b) {
    unsigned bits = 0;
    for (int i = 0; i < 4; ++i) bits |= unsigned(a.v_[i] < b.v_[i]) << i;
    return bits;
  }
  friend unsigned operator<=(const Double4& a, const Double4& b) {
    unsigned bits = 0;
    for (int i = 0; i < 4; ++i) bits |= unsigned(a.v_[i] <= b.v_[i]) << i;
    return bits;
  }
  ///@}

 private:
  Double4(double a, double b, double c, double d) : v_{a, b, c, d} {}

  double v_[4];
};

#endif

}  // namespace odemesh
