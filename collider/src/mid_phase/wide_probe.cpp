#include "mid_phase/wide_probe.hpp"

#include <cmath>

#include "bvh/aabb.hpp"
#include "bvh/wide_tree.hpp"
#include "contact/placed_mesh.hpp"
#include "mesh/probe.hpp"
#include "mid_phase/wide_searches.hpp"

namespace odemesh {

namespace {

/// Rotations that have drifted by more are left to the search.
constexpr double kMostDrift = 1e-6;

/// Bodies whose centres are farther apart than this share of the sum of their radii are hardly deep in each
/// other.
constexpr double kFar = 0.8;

/// Of floats, and of a rotation that has drifted, relative to the numbers that are added up.
constexpr double kBallRounding = 1e-5;

[[nodiscard]] bool hasDrifted(const Mat3& rotation) {
  return !(distortionOf(rotation) <= kMostDrift);
}

/// Does the surface of `surface` pass through that of `solid`? `pose` takes points to the frame of the solid.
[[nodiscard]] bool passesThrough(const Mesh& solid, const Mesh& surface, const Pose& pose) {
  if (solid.probe() == nullptr || surface.probe() == nullptr || !(solid.probe()->radius[0] > 0)) return false;
  const WideTree &to = solid.wideTree(), &from = surface.wideTree();
  WideProbeQuery query{solid.probe(), surface.probe(), {}, {}, 0};
  const Vec3 shift = (pose.apply(from.origin()) - to.origin()) / to.scale();
  const double unit = from.scale() / to.scale();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) query.linear[i][j] = static_cast<float>(unit * pose.rotation.row[i][j]);
    query.shift[i] = static_cast<float>(shift[i]);
  }
  const double size = 1 + unit + std::abs(shift.x) + std::abs(shift.y) + std::abs(shift.z);
  query.slack = floatAbove(kBallRounding * size);
  return wideSearches().probe(query);
}

}  // namespace

bool areCertainToMeet(const Mesh& a, const Mesh& b, const Pose& b_in_a) {
  const double near = kFar * (a.sphereRadius() + b.sphereRadius());
  if (lengthSq(b_in_a.apply(b.sphereCentre()) - a.sphereCentre()) > near * near) return false;
  return !hasDrifted(b_in_a.rotation) &&
         (passesThrough(a, b, b_in_a) || passesThrough(b, a, b_in_a.inverse()));
}

}  // namespace odemesh
