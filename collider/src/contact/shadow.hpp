// A face seen along the contact direction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <odemesh/pose.hpp>
#include <vector>

namespace odemesh {

/// A point in the plane across the contact direction.
struct ShadowPoint {
  double u, v;
};

/// A point of the line through p and q: 0 is p, 1 is q.
[[nodiscard]] inline ShadowPoint between(const ShadowPoint& p, const ShadowPoint& q, double share) {
  return {p.u + share * (q.u - p.u), p.v + share * (q.v - p.v)};
}

/// Twice the area of a triangle; positive if it is counter-clockwise.
[[nodiscard]] inline double turn(const ShadowPoint& a, const ShadowPoint& b, const ShadowPoint& c) {
  return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
}

/// The outline of a face, and its height along the direction as a function of (u, v).
struct Shadow {
  std::uint32_t face;
  Vec3 normal;            ///< unit, outwards
  ShadowPoint corner[3];  ///< counter-clockwise
  ShadowPoint lo, hi;     ///< bounds
  double height0, slope_u, slope_v;
  bool is_mirrored;  ///< corners 1 and 2 have changed places
  int flat_corners;  ///< vertices around which the surface is flat

  /// Lies within a flat part of the surface.
  [[nodiscard]] bool isInterior() const { return flat_corners == 3; }
  /// Belongs to no flat part of the surface that is cut into more than a few faces.
  [[nodiscard]] bool isCurved() const { return flat_corners == 0; }

  /// Do its bounds meet the rectangle?
  [[nodiscard]] bool meets(const ShadowPoint& low, const ShadowPoint& high) const {
    return lo.u <= high.u && hi.u >= low.u && lo.v <= high.v && hi.v >= low.v;
  }

  [[nodiscard]] double height(const ShadowPoint& p) const { return height0 + slope_u * p.u + slope_v * p.v; }
};

/// A point of a layer's area, and how thick the layer is there.
struct LayerPoint {
  ShadowPoint at;
  double thickness;
};

/// What pairs of faces share of the plane: convex polygons, one after the other.
struct SharedGround {
  std::vector<LayerPoint> corner;
  std::vector<std::size_t> end;  ///< of each polygon, in `corner`
  bool is_whole = false;         ///< no pair was left out
};

/// A side of a shadow, with its bounds.
struct ShadowEdge {
  ShadowPoint from, to, lo, hi;
  const Shadow* shadow;
};

}  // namespace odemesh
