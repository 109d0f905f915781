// The axes of a quadratic form.
#pragma once

#include <odemesh/pose.hpp>

namespace odemesh {

/// The eigenvectors of a symmetric matrix as rows, at right angles to each other, by Jacobi rotations. Any
/// finite matrix; of a multiple eigenvalue, some such vectors.
[[nodiscard]] Mat3 eigenvectors(const Mat3& symmetric);

/// Adds share * v v^T.
inline void addSquare(Mat3& symmetric, const Vec3& v, double share) {
  for (int i = 0; i < 3; ++i) symmetric.row[i] += v * (v[i] * share);
}

}  // namespace odemesh
