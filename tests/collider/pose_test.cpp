// Rotations as single precision leaves them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <odemesh/pose.hpp>
#include <random>

#include "test_meshes.hpp"

namespace odemesh::test {
namespace {

/// The greatest entry of m^T m - 1.
double offRigid(const Mat3& m) {
  const Mat3 product = m.transposed() * m;
  double most = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) most = std::max(most, std::abs(product.row[i][j] - (i == j ? 1 : 0)));
  return most;
}

Mat3 rounded(const Mat3& m) {
  Mat3 out;
  for (int i = 0; i < 3; ++i)
    out.row[i] = {double(float(m.row[i].x)), double(float(m.row[i].y)), double(float(m.row[i].z))};
  return out;
}

TEST(NearestRotation, TakesAwayTheRoundingsOfFloats) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 1000; ++i) {
    const Mat3 exact = randomRotation(random), off = rounded(exact), near = nearestRotation(off);
    ASSERT_GT(offRigid(off), 1e-10);
    ASSERT_LT(offRigid(near), 1e-14);
    for (int row = 0; row < 3; ++row) ASSERT_LT(length(near.row[row] - exact.row[row]), 2e-7);
  }
}

TEST(NearestRotation, TakesAwayDrift) {
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> off(-1, 1);
  for (const double drift : {1e-12, 1e-8, 1e-5, 3e-4}) {
    for (int i = 0; i < 200; ++i) {
      const Mat3 exact = randomRotation(random);
      Mat3 drifted = exact;
      for (Vec3& row : drifted.row) row += drift * Vec3{off(random), off(random), off(random)};
      const Mat3 near = nearestRotation(drifted);
      ASSERT_LT(offRigid(near), 1e-13) << drift;
      for (int row = 0; row < 3; ++row) ASSERT_LT(length(near.row[row] - exact.row[row]), 3 * drift);
    }
  }
}

TEST(NearestRotation, LeavesWhatIsARotationBitForBit) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 200; ++i) {
    const Mat3 exact = randomRotation(random), near = nearestRotation(exact);
    for (int row = 0; row < 3; ++row) ASSERT_EQ(near.row[row], exact.row[row]);
  }
}

TEST(NearestRotation, LeavesWhatIsNoRotation) {
  const Mat3 scaled{{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}};
  const Mat3 sheared{{{1, 4e-3, 0}, {0, 1, 0}, {0, 0, 1}}};
  const Mat3 broken{{{1, 0, 0}, {0, NAN, 0}, {0, 0, 1}}};
  EXPECT_EQ(nearestRotation(scaled).row[1], scaled.row[1]);
  EXPECT_EQ(nearestRotation(sheared).row[0], sheared.row[0]);
  EXPECT_TRUE(std::isnan(nearestRotation(broken).row[1].y));
  EXPECT_EQ(nearestRotation(broken).row[2], broken.row[2]);
}

}  // namespace
}  // namespace odemesh::test
