// Bodies on their way, and what they meet.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <odemesh/motion.hpp>
#include <vector>

#include "test_meshes.hpp"

namespace odemesh::test {

using Impacts = std::vector<Impact>;

inline const MeshPtr kPlate = boxSoup({20, 20, 0.02}).build();
inline const MeshPtr kCube = boxSoup({0.2, 0.2, 0.2}).build();

[[nodiscard]] inline Motion at(const Vec3& position, const Vec3& velocity = {}, const Vec3& spin = {}) {
  return {{{}, position}, position, velocity, spin, false};
}

[[nodiscard]] inline Motion still() {
  Motion out = at({});
  out.is_fixed = true;
  return out;
}

[[nodiscard]] inline Impacts impactsOf(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2,
                                       const Motion& motion2, double dt) {
  std::array<Impact, 16> out;
  const std::size_t count = findImpacts(mesh1, motion1, mesh2, motion2, dt, out);
  return {out.begin(), out.begin() + std::ptrdiff_t(count)};
}

inline void expectNear(const Vec3& a, const Vec3& b, double tolerance) {
  EXPECT_LE(length(a - b), tolerance) << a.x << " " << a.y << " " << a.z;
}

}  // namespace odemesh::test
