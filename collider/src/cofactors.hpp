// What the inverse of a matrix is made of.
#pragma once

#include <odemesh/pose.hpp>

namespace odemesh {

/// Those of `m`: transposed, and divided by its determinant, they are its inverse.
[[nodiscard]] constexpr Mat3 cofactorsOf(const Mat3& m) {
  return {{cross(m.row[1], m.row[2]), cross(m.row[2], m.row[0]), cross(m.row[0], m.row[1])}};
}

/// The determinant of `m`, of which these are the cofactors.
[[nodiscard]] constexpr double determinantOf(const Mat3& m, const Mat3& cofactors) {
  return dot(m.row[0], cofactors.row[0]);
}

}  // namespace odemesh
