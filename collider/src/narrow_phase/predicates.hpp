// Orientation signs that are never wrong: rounded arithmetic with an error bound, and exact arithmetic for
// the rest.
//
// Every finite double is allowed. Coordinates between about 1e-86 and 1e100 are the fast range; others are
// right too, but cost some microseconds once the bound has failed. A coordinate that is not finite gives 0.
#pragma once

#include <odemesh/pose.hpp>

namespace odemesh {

/// A point of a plane: a Vec3 with one coordinate left out.
struct Point2 {
  double x, y;
};

/// +1 if a, b, c run counter-clockwise, -1 if clockwise, 0 if they lie on one line (or two of them coincide).
[[nodiscard]] int orient2d(const Point2& a, const Point2& b, const Point2& c);

/// +1 if `d` lies below the plane of a, b, c, -1 if above, 0 if on it; "above" is the side from which a, b, c
/// run counter-clockwise, to which (b - a) x (c - a) points. The sign of det[a - d, b - d, c - d], as in
/// Shewchuk 1997. 0 as well if a, b, c lie on one line.
[[nodiscard]] int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// The two ways in which the exact sign of `orient3d` is found once the error bound has failed; each is the
/// other's oracle in the tests. The first is faster and needs coordinates that are 0 or between 1e-85 and
/// 1e100 in magnitude.
[[nodiscard]] int orient3dByExpansions(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
[[nodiscard]] int orient3dByProductSum(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

}  // namespace odemesh
