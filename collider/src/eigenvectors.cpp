#include "eigenvectors.hpp"

#include <cmath>

namespace odemesh {

namespace {

struct Symmetric {
  double m[3][3] = {};
};

/// One Jacobi rotation, which makes entry (p, q) zero; `v` gathers the rotations in its rows.
void rotate(Symmetric& a, Symmetric& v, int p, int q) {
  if (a.m[p][q] == 0) return;
  const double theta = (a.m[q][q] - a.m[p][p]) / (2 * a.m[p][q]);
  const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1);
  const double s = t * c;
  for (auto& row : a.m) {
    const double kp = row[p], kq = row[q];
    row[p] = c * kp - s * kq;
    row[q] = s * kp + c * kq;
  }
  for (int k = 0; k < 3; ++k) {
    const double pk = a.m[p][k], qk = a.m[q][k];
    a.m[p][k] = c * pk - s * qk;
    a.m[q][k] = s * pk + c * qk;
    const double vp = v.m[p][k], vq = v.m[q][k];
    v.m[p][k] = c * vp - s * vq;
    v.m[q][k] = s * vp + c * vq;
  }
  a.m[p][q] = a.m[q][p] = 0;
}

}  // namespace

Mat3 eigenvectors(const Mat3& symmetric) {
  Symmetric a, v;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) a.m[i][j] = symmetric.row[i][j];
    v.m[i][i] = 1;
  }
  // Converges quadratically: six sweeps are ample for three dimensions.
  for (int sweep = 0; sweep < 6; ++sweep) {
    rotate(a, v, 0, 1);
    rotate(a, v, 0, 2);
    rotate(a, v, 1, 2);
  }
  Mat3 out;
  for (int i = 0; i < 3; ++i) out.row[i] = {v.m[i][0], v.m[i][1], v.m[i][2]};
  return out;
}

}  // namespace odemesh
