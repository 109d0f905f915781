// The point of a triangle that is closest to a given point.
#pragma once

#include "narrow_phase/triangle.hpp"

namespace odemesh {

/// The part of the triangle on which the closest point lies.
enum class TriangleFeature { kFace, kEdge01, kEdge12, kEdge20, kVertex0, kVertex1, kVertex2 };

struct ClosestOnTriangle {
  Vec3 point;       ///< of the triangle
  Vec3 difference;  ///< query - point; more accurate than subtracting when both are far from the origin
  double distance_sq = 0;  ///< of `difference`
  double s = 0, t = 0;     ///< point = V0 + s (V1 - V0) + t (V2 - V0)
  TriangleFeature feature = TriangleFeature::kFace;
};

/// The closest point by Eberly's seven regions (2008), with one division at most. A triangle without area is
/// searched along its edges, and so is one so thin (angle below 1e-6) that its plane is uncertain. Finite
/// coordinates up to 1e100. Where two features are equally near, as on a region's border, either may be
/// named.
[[nodiscard]] ClosestOnTriangle closestOnTriangle(const Vec3& p, const Triangle& triangle);

/// Eberly's number for the place of the foot of the perpendicular from `p`: 0 in the triangle, then
/// counter-clockwise 1 (beyond edge 12), 2 (around V2), 3 (beyond edge 20), 4 (around V0), 5 (beyond edge
/// 01), 6 (around V1); borders belong to the lesser. In the even ones an edge may still hold the closest
/// point. -1 for a triangle without area.
[[nodiscard]] int regionOf(const Vec3& p, const Triangle& triangle);

}  // namespace odemesh
