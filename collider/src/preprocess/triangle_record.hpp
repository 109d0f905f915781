// What can be known of a triangle before it meets another one: the record that Nathan's document asks for.
#pragma once

#include "narrow_phase/triangle.hpp"

namespace odemesh {

/// A triangle with everything that the edge-plane test uses. Names follow Nathan: corners V, edges E and
/// vectors F.
struct TriangleRecord {
  struct Vec2 {
    double x = 0, y = 0;
  };

  Vec3 v[3];            ///< counter-clockwise seen from the side to which `normal` points
  Vec3 edge[3];         ///< E0 = V1 - V0, E1 = V2 - V1, E2 = V0 - V2
  Vec3 edge_normal[3];  ///< unit, in the plane, outward over each edge
  Vec3 normal;          ///< unit; zero for a triangle without area
  Vec2 f0, f2;          ///< (E0.E0, E0.E2) and (E0.E2, E2.E2): the columns of the barycentric system
  double inverse_determinant = 0;  ///< 1 / (F0 x F2); 0 for a triangle without area
  Vec3 centre;                     ///< the centroid
  double radius = 0;               ///< from the centroid to the farthest corner

  [[nodiscard]] bool hasArea() const { return inverse_determinant != 0; }
};

/// Expects finite corners whose differences lie between about 1e-75 and 1e75 in magnitude; beyond, the fourth
/// powers in the determinant leave the range of double and the triangle counts as one without area.
[[nodiscard]] TriangleRecord makeTriangleRecord(const Triangle& triangle);

/// Do the centroid spheres come within `margin` of each other? Nathan's step 1.
[[nodiscard]] bool spheresMeet(const TriangleRecord& a, const TriangleRecord& b, double margin = 0);

}  // namespace odemesh
