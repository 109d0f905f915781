#include <ode/ode.h>

#include <cmath>
#include <limits>
#include <odemesh/sim/inertial.hpp>

namespace odemesh::sim {
namespace {

Mat3 sum(const Mat3& a, const Mat3& b) {
  return {{a.row[0] + b.row[0], a.row[1] + b.row[1], a.row[2] + b.row[2]}};
}

Mat3 scaled(const Mat3& m, double s) {
  return {{m.row[0] * s, m.row[1] * s, m.row[2] * s}};
}

// Inertia of a point mass at `r`.
Mat3 pointInertia(double mass, const Vec3& r) {
  const double rr = lengthSq(r);
  return scaled({{{rr - r.x * r.x, -r.x * r.y, -r.x * r.z},
                  {-r.y * r.x, rr - r.y * r.y, -r.y * r.z},
                  {-r.z * r.x, -r.z * r.y, rr - r.z * r.z}}},
                mass);
}

// Pivots of the Cholesky factorisation, in ODE's precision, must stay clear of zero by this share of the
// trace.
constexpr double kLeastPivot = 1e-12;

bool isPositiveDefinite(const Mat3& m) {
  const double a = m.row[0].x, b = m.row[1].y, c = m.row[2].z;
  const double d = m.row[1].x, e = m.row[2].x, f = m.row[2].y;
  const double least = kLeastPivot * (a + b + c);
  if (!(least > static_cast<double>(std::numeric_limits<dReal>::min()) * kLeastPivot)) return false;
  if (!(a > least)) return false;
  const double pivot2 = b - d * d / a;
  if (!(pivot2 > least)) return false;
  const double g = f - d * e / a;
  return c - e * e / a - g * g / pivot2 > least;
}

bool isSymmetric(const Mat3& m) {
  const double tolerance = 1e-9 * (m.row[0].x + m.row[1].y + m.row[2].z);
  return std::abs(m.row[0].y - m.row[1].x) <= tolerance && std::abs(m.row[0].z - m.row[2].x) <= tolerance &&
         std::abs(m.row[1].z - m.row[2].y) <= tolerance;
}

}  // namespace

Inertial moved(const Inertial& part, const Pose& pose) {
  const Mat3& r = pose.rotation;
  return {part.mass, pose.apply(part.centre), r * part.inertia * r.transposed()};
}

Inertial combined(std::span<const Inertial> parts) {
  if (parts.size() == 1) return parts.front();  // exact, so that a single mesh stays at its body's origin
  Inertial whole;
  for (const Inertial& part : parts) {
    whole.mass += part.mass;
    whole.centre += part.centre * part.mass;
  }
  whole.centre *= 1 / whole.mass;
  for (const Inertial& part : parts) {
    const Mat3 shift = pointInertia(part.mass, part.centre - whole.centre);
    whole.inertia = sum(whole.inertia, sum(part.inertia, shift));
  }
  return whole;
}

Inertial withMass(Inertial part, double mass) {
  part.inertia = scaled(part.inertia, mass / part.mass);
  part.mass = mass;
  return part;
}

bool isPhysical(const Inertial& part) {
  if (!std::isfinite(part.mass) || !isFinite(part.centre)) return false;
  for (const Vec3& row : part.inertia.row)
    if (!isFinite(row)) return false;
  if (!(part.mass > static_cast<double>(std::numeric_limits<dReal>::min()))) return false;
  return isSymmetric(part.inertia) && isPositiveDefinite(part.inertia);
}

}  // namespace odemesh::sim
