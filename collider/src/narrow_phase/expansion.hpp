// Exact arithmetic on sums of doubles (Shewchuk 1997, "Adaptive precision floating-point arithmetic and fast
// robust geometric predicates"). An expansion is a number written as an unevaluated sum of doubles that do
// not overlap, the smallest first; the sign of the largest is the sign of the number.
//
// Exact as long as nothing overflows or underflows, and under the rounding mode "to nearest".
#pragma once

#include <cfloat>

namespace odemesh {

static_assert(FLT_EVAL_METHOD == 0,
              "the error terms below need arithmetic in plain double, as SSE2 and NEON do it");

/// The rounded result of one operation and the error that the rounding made: head + tail is exact.
struct Rounded {
  double head;
  double tail;
};

/// a + b (Knuth).
[[nodiscard]] inline Rounded exactSum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  const double a_part = sum - b_part;
  return {sum, (a - a_part) + (b - b_part)};
}

/// a + b where |a| >= |b| (Dekker).
[[nodiscard]] inline Rounded exactSumOrdered(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// Two halves of 26 bits each, so that products of halves are exact (Dekker, Veltkamp).
[[nodiscard]] inline Rounded split(double a) {
  constexpr double kSplitter = 134217729;  // 2^27 + 1
  const double c = kSplitter * a;
  const double high = c - (c - a);
  return {high, a - high};
}

/// a * b (Dekker).
[[nodiscard]] inline Rounded exactProduct(double a, double b) {
  const double product = a * b;
  const Rounded as = split(a), bs = split(b);
  const double error = ((product - as.head * bs.head) - as.tail * bs.head) - as.head * bs.tail;
  return {product, as.tail * bs.tail - error};
}

/// A number as the sum of `size` doubles; zero has none. `Capacity` is the most that there can be.
template <int Capacity>
struct Expansion {
  double part[Capacity];
  int size = 0;

  /// Parts come smallest first; zeros are left out.
  void append(double x) {
    if (x != 0) part[size++] = x;
  }
  [[nodiscard]] int sign() const { return size == 0 ? 0 : part[size - 1] > 0 ? 1 : -1; }
};

/// a - b.
[[nodiscard]] inline Expansion<2> exactDifference(double a, double b) {
  const Rounded d = exactSum(a, -b);
  Expansion<2> out;
  out.append(d.tail);
  out.append(d.head);
  return out;
}

template <int N>
[[nodiscard]] Expansion<N> operator-(Expansion<N> a) {
  for (int i = 0; i < a.size; ++i) a.part[i] = -a.part[i];
  return a;
}

/// Merges the parts by magnitude and carries the sum upward (Shewchuk's fast expansion sum).
template <int N, int M>
[[nodiscard]] Expansion<N + M> operator+(const Expansion<N>& a, const Expansion<M>& b) {
  Expansion<N + M> out;
  int i = 0, j = 0;
  const auto next = [&] {
    if (j == b.size) return a.part[i++];
    if (i == a.size) return b.part[j++];
    const double x = a.part[i], y = b.part[j];
    return (x < 0 ? -x : x) < (y < 0 ? -y : y) ? a.part[i++] : b.part[j++];
  };
  const int total = a.size + b.size;
  if (total == 0) return out;
  double sum = next();
  for (int k = 1; k < total; ++k) {
    const Rounded r = exactSum(sum, next());
    out.append(r.tail);
    sum = r.head;
  }
  out.append(sum);
  return out;
}

/// Shewchuk's scale expansion.
template <int N>
[[nodiscard]] Expansion<2 * N> operator*(const Expansion<N>& a, double b) {
  Expansion<2 * N> out;
  if (a.size == 0 || b == 0) return out;
  Rounded carry = exactProduct(a.part[0], b);
  out.append(carry.tail);
  for (int i = 1; i < a.size; ++i) {
    const Rounded product = exactProduct(a.part[i], b);
    const Rounded low = exactSum(carry.head, product.tail);
    out.append(low.tail);
    carry = exactSumOrdered(product.head, low.head);
    out.append(carry.tail);
  }
  out.append(carry.head);
  return out;
}

template <int N>
[[nodiscard]] Expansion<4 * N> operator*(const Expansion<N>& a, const Expansion<2>& b) {
  const Expansion<2 * N> low = b.size > 0 ? a * b.part[0] : Expansion<2 * N>{};
  const Expansion<2 * N> high = b.size > 1 ? a * b.part[1] : Expansion<2 * N>{};
  return low + high;
}

}  // namespace odemesh
