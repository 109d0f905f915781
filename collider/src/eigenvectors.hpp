// The axes of a quadratic form.
#pragma once

#include <odemesh/pose.hpp>

namespace odemesh {

/// The eigenvectors of a symmetric matrix as rows, at right angles to each other, by Jacobi rotations. Any
/// finite matrix; of a multiple eigenvalue, some such vectors.
[[nodiscard]] Mat3 eigenvectors(const Mat3& symmetric);

}  // namespace odemesh
