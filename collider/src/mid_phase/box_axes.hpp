// The separating axis test of two boxes turned against each other (Gottschalk, Lin and Manocha 1996; CS277).
#pragma once

#include <cmath>
#include <odemesh/pose.hpp>

namespace odemesh {

/// The turn from the axes of box B to those of box A, and its absolute values.
struct BoxTurn {
  explicit BoxTurn(const Mat3& b_to_a) : turn(b_to_a) {
    for (int i = 0; i < 3; ++i)
      size.row[i] = {std::abs(turn.row[i].x), std::abs(turn.row[i].y), std::abs(turn.row[i].z)};
  }
  Mat3 turn, size;
};

/// Does the normal of a face of either box part them? `d` is the centre of B from that of A, along the axes
/// of A; boxes closer than `slack` count as touching.
[[nodiscard]] inline bool partedByFace(const Vec3& half_a, const Vec3& half_b, const BoxTurn& t,
                                       const Vec3& d, double slack) {
  const Vec3 reach_a = half_a + t.size * half_b;
  if (std::abs(d.x) > reach_a.x + slack || std::abs(d.y) > reach_a.y + slack ||
      std::abs(d.z) > reach_a.z + slack)
    return true;
  const Vec3 e = t.turn.transposed() * d;
  const Vec3 reach_b = half_b + t.size.transposed() * half_a;
  return std::abs(e.x) > reach_b.x + slack || std::abs(e.y) > reach_b.y + slack ||
         std::abs(e.z) > reach_b.z + slack;
}

/// Does the cross product of an edge of A with one of B part them? Nine axes; where the edges are parallel
/// the product is near zero, and the slack keeps it from parting anything.
[[nodiscard]] inline bool partedByEdges(const Vec3& half_a, const Vec3& half_b, const BoxTurn& t,
                                        const Vec3& d, double slack) {
  const auto arePartedAlong = [&](int i) {  // the products of axis i of A
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    const Vec3& size = t.size.row[i];
    const Vec3 distance = d[i2] * t.turn.row[i1] - d[i1] * t.turn.row[i2];
    const Vec3 reach_a = half_a[i1] * t.size.row[i2] + half_a[i2] * t.size.row[i1];
    const Vec3 reach_b{half_b.y * size.z + half_b.z * size.y, half_b.z * size.x + half_b.x * size.z,
                       half_b.x * size.y + half_b.y * size.x};
    const Vec3 reach = reach_a + reach_b;
    return std::abs(distance.x) > reach.x + slack || std::abs(distance.y) > reach.y + slack ||
           std::abs(distance.z) > reach.z + slack;
  };
  return arePartedAlong(0) || arePartedAlong(1) || arePartedAlong(2);
}

}  // namespace odemesh
