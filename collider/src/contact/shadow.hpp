// A face seen along the contact direction.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <odemesh/pose.hpp>

#include "constants.hpp"
#include "narrow_phase/triangle.hpp"

namespace odemesh {

/// A point in the plane across the contact direction.
struct ShadowPoint {
  double u, v;
};

[[nodiscard]] inline double distanceSq(const ShadowPoint& p, const ShadowPoint& q) {
  const double du = p.u - q.u, dv = p.v - q.v;
  return du * du + dv * dv;
}

/// A point of the line through p and q: 0 is p, 1 is q.
[[nodiscard]] inline ShadowPoint between(const ShadowPoint& p, const ShadowPoint& q, double share) {
  return {p.u + share * (q.u - p.u), p.v + share * (q.v - p.v)};
}

/// The place on that line next to `at`; of points that are the same, 0.
[[nodiscard]] inline double shareAlong(const ShadowPoint& p, const ShadowPoint& q, const ShadowPoint& at) {
  const double du = q.u - p.u, dv = q.v - p.v, length_sq = du * du + dv * dv;
  return length_sq > 0 ? ((at.u - p.u) * du + (at.v - p.v) * dv) / length_sq : 0;
}

/// Twice the area of a triangle; positive if it is counter-clockwise.
[[nodiscard]] inline double turn(const ShadowPoint& a, const ShadowPoint& b, const ShadowPoint& c) {
  return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
}

/// Bounds of points; of none, they are empty.
struct ShadowExtent {
  static constexpr double kNone = std::numeric_limits<double>::infinity();
  ShadowPoint lo{kNone, kNone}, hi{-kNone, -kNone};

  void take(const ShadowPoint& p) {
    lo = {std::min(lo.u, p.u), std::min(lo.v, p.v)};
    hi = {std::max(hi.u, p.u), std::max(hi.v, p.v)};
  }
  [[nodiscard]] bool meets(const ShadowExtent& other) const {
    return lo.u <= other.hi.u && hi.u >= other.lo.u && lo.v <= other.hi.v && hi.v >= other.lo.v;
  }
  [[nodiscard]] ShadowExtent widened(double by) const {
    return {{lo.u - by, lo.v - by}, {hi.u + by, hi.v + by}};
  }
};

/// The outline of a face, and its height along the direction as a function of (u, v).
struct Outline {
  double u[4], v[4];   ///< of the corners, counter-clockwise; a fourth makes vectors of them
  ShadowPoint lo, hi;  ///< bounds
  double height0, slope_u, slope_v;
  bool is_mirrored;  ///< corners 1 and 2 of the face have changed places
  bool looks_up;     ///< its normal looks along the direction, not against it

  [[nodiscard]] ShadowPoint corner(int i) const { return {u[i], v[i]}; }
  void setCorner(int i, const ShadowPoint& p) {
    u[i] = p.u;
    v[i] = p.v;
  }

  /// A point outside of side `i` by this, as a turn, is outside by `reach`, or up to 1.4 times as much.
  [[nodiscard]] double turnAtReach(int i, double reach) const {
    return reach * (std::abs(u[nextCorner(i)] - u[i]) + std::abs(v[nextCorner(i)] - v[i]));
  }

  /// Does a point lie over the face? Outside of a side by up to `reach`, it counts.
  [[nodiscard]] bool covers(const ShadowPoint& p, double reach) const {
    for (int i = 0; i < 3; ++i)
      if (turn(corner(i), corner(nextCorner(i)), p) < -turnAtReach(i, reach)) return false;
    return true;
  }

  [[nodiscard]] double height(const ShadowPoint& p) const { return height0 + slope_u * p.u + slope_v * p.v; }
};

/// An outline with what an overlay asks of its face.
struct Shadow : Outline {
  std::uint32_t face;
  Vec3 normal;                    ///< unit, outwards
  double along_u[4], along_v[4];  ///< from each corner to the next one
  std::uint32_t vertex[3];        ///< of the mesh, at each corner
  unsigned flat;                  ///< one bit for each corner around which the surface is flat
  double outer_turn[4];  ///< of each side and a point outside of it by what still counts as over the face
  double inner_turn[4];  ///< the same for a point inside of it by what makes no more than a sliver
  unsigned own_corners;  ///< bit 4 * i: the vertex at corner i is looked at with this face
  unsigned own_sides;    ///< bit 4 * i: so is the edge at side i

  /// Lies within a flat part of the surface.
  [[nodiscard]] bool isInterior() const { return flat == 7; }
  /// Belongs to no flat part of the surface that is cut into more than a few faces.
  [[nodiscard]] bool isCurved() const { return flat == 0; }
  /// The corner of the face in its mesh that is corner `i` here.
  [[nodiscard]] int meshCorner(int i) const { return is_mirrored ? (3 - i) % 3 : i; }
  /// The side of the face in its mesh that is side `i` here, which ends at corner i and the next one.
  [[nodiscard]] int meshSide(int i) const { return is_mirrored ? 2 - i : i; }

  /// Called when all corners are set.
  void findSides(double reach) {
    const double sliver = kSliver * turn(corner(0), corner(1), corner(2));
    for (int i = 0; i < 3; ++i) {
      along_u[i] = u[nextCorner(i)] - u[i];
      along_v[i] = v[nextCorner(i)] - v[i];
      const double at_reach = turnAtReach(i, reach);
      outer_turn[i] = -at_reach;
      inner_turn[i] = std::min(sliver, at_reach);
    }
  }
};

/// How far apart a face of mesh 1 and one of mesh 2 are at a point; negative where they do not overlap.
[[nodiscard]] inline double thicknessAt(const ShadowPoint& p, const Shadow& a, const Shadow& b) {
  return b.height(p) - a.height(p);
}

/// A point of a layer's area, and how thick the layer is there.
struct LayerPoint {
  ShadowPoint at;
  double thickness;
};

/// A side of a shadow, with its bounds.
struct ShadowEdge {
  ShadowPoint from, to, lo, hi;
  const Shadow* shadow;
};

}  // namespace odemesh
