#include "narrow_phase/predicates.hpp"

#include <cmath>
#include <initializer_list>

#include "narrow_phase/expansion.hpp"
#include "narrow_phase/product_sum.hpp"

namespace odemesh {
namespace {

// Shewchuk's bounds for the rounding error, relative to the sum of the magnitudes of all terms, are 3.0000001
// and 7.0000001 units of 2^-53; one unit is added.
constexpr double kUnit = 1.1102230246251565e-16;
constexpr double kBound2d = 4 * kUnit;
constexpr double kBound3d = 8 * kUnit;
// Underflow and overflow are outside those bounds. The first adds less than this to the error for each unit
// of length; results near the second are not trusted.
constexpr double kUnderflow = 1e-300;
constexpr double kOverflow = 1e305;

// In this range no term of an expansion leaves the normal doubles: the last bit of the cube of a difference
// counts 2^(3 * (-285 - 52)), and the cube of the largest is below 2^1020.
constexpr double kSmallest = 0x1p-285;
constexpr double kLargest = 0x1p335;

int signOf(double x) {
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

bool fitsExpansions(std::initializer_list<double> coordinates) {
  for (const double x : coordinates) {
    const double size = std::fabs(x);
    if (x != 0 && !(size >= kSmallest && size <= kLargest)) return false;
  }
  return true;
}

bool allFinite(std::initializer_list<double> coordinates) {
  for (const double x : coordinates) {
    if (!std::isfinite(x)) return false;
  }
  return true;
}

int orient2dExact(const Point2& a, const Point2& b, const Point2& c) {
  const auto coordinates = {a.x, a.y, b.x, b.y, c.x, c.y};
  if (!allFinite(coordinates)) return 0;
  if (fitsExpansions(coordinates)) {
    const auto left = exactDifference(a.x, c.x) * exactDifference(b.y, c.y);
    const auto right = exactDifference(a.y, c.y) * exactDifference(b.x, c.x);
    return (left + -right).sign();
  }
  ProductSum sum;
  const auto addCross = [&sum](const Point2& p, const Point2& q) {
    sum.add(p.x, q.y, 1);
    sum.subtract(p.y, q.x, 1);
  };
  addCross(a, b);
  addCross(b, c);
  addCross(c, a);
  return sum.sign();
}

int orient3dExact(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const auto coordinates = {a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, d.x, d.y, d.z};
  if (!allFinite(coordinates)) return 0;
  return fitsExpansions(coordinates) ? orient3dByExpansions(a, b, c, d) : orient3dByProductSum(a, b, c, d);
}

/// A vector from `to` to `from`, each coordinate exact.
struct ExactVec3 {
  ExactVec3(const Vec3& from, const Vec3& to)
      : x(exactDifference(from.x, to.x)),
        y(exactDifference(from.y, to.y)),
        z(exactDifference(from.z, to.z)) {}
  Expansion<2> x, y, z;
};

/// (p.x q.y - p.y q.x) * r.z
Expansion<64> minorTimesZ(const ExactVec3& p, const ExactVec3& q, const ExactVec3& r) {
  if (r.z.size == 0) return {};
  return (p.x * q.y + -(p.y * q.x)) * r.z;
}

/// Adds det[p, q, r] or subtracts it.
void addDeterminant(ProductSum& sum, const Vec3& p, const Vec3& q, const Vec3& r, double sign) {
  sum.add(sign * p.x, q.y, r.z);
  sum.add(sign * p.y, q.z, r.x);
  sum.add(sign * p.z, q.x, r.y);
  sum.subtract(sign * p.x, q.z, r.y);
  sum.subtract(sign * p.y, q.x, r.z);
  sum.subtract(sign * p.z, q.y, r.x);
}

}  // namespace

int orient2d(const Point2& a, const Point2& b, const Point2& c) {
  const double left = (a.x - c.x) * (b.y - c.y);
  const double right = (a.y - c.y) * (b.x - c.x);
  const double determinant = left - right;
  const double size = std::fabs(left) + std::fabs(right);
  if (std::fabs(determinant) > kBound2d * size + kUnderflow && size < kOverflow) return signOf(determinant);
  return orient2dExact(a, b, c);
}

int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 p = a - d, q = b - d, r = c - d;
  const double pxqy = p.x * q.y, pyqx = p.y * q.x;
  const double qxry = q.x * r.y, qyrx = q.y * r.x;
  const double rxpy = r.x * p.y, rypx = r.y * p.x;
  const double determinant = p.z * (qxry - qyrx) + q.z * (rxpy - rypx) + r.z * (pxqy - pyqx);
  const double pz = std::fabs(p.z), qz = std::fabs(q.z), rz = std::fabs(r.z);
  const double size = pz * (std::fabs(qxry) + std::fabs(qyrx)) + qz * (std::fabs(rxpy) + std::fabs(rypx)) +
                      rz * (std::fabs(pxqy) + std::fabs(pyqx));
  const double bound = kBound3d * size + kUnderflow * (1 + pz + qz + rz);
  if (std::fabs(determinant) > bound && size < kOverflow) return signOf(determinant);
  // Faces along the axes are common, and so are coinciding corners; both are settled without exact
  // arithmetic.
  if ((p.z == 0 && q.z == 0 && r.z == 0) || (p.y == 0 && q.y == 0 && r.y == 0) ||
      (p.x == 0 && q.x == 0 && r.x == 0) || p == Vec3{} || q == Vec3{} || r == Vec3{}) {
    return 0;
  }
  return orient3dExact(a, b, c, d);
}

int orient3dByExpansions(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const ExactVec3 p(a, d), q(b, d), r(c, d);
  return (minorTimesZ(p, q, r) + minorTimesZ(q, r, p) + minorTimesZ(r, p, q)).sign();
}

int orient3dByProductSum(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  ProductSum sum;
  addDeterminant(sum, a, b, c, 1);
  addDeterminant(sum, a, b, d, -1);
  addDeterminant(sum, a, c, d, 1);
  addDeterminant(sum, b, c, d, -1);
  return sum.sign();
}

}  // namespace odemesh
