#include "contact/overlay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "constants.hpp"

namespace odemesh {

namespace {

struct Point2 {
  double u, v;
};

/// A convex polygon in the plane across the contact direction: a triangle clipped by a triangle and a
/// rectangle.
struct Polygon {
  static constexpr int kMost = 12;
  std::array<Point2, kMost> corner;
  int count = 0;

  void add(const Point2& p) {
    if (count < kMost) corner[count++] = p;
  }
};

/// Keeps the part of `polygon` where nu * u + nv * v <= offset (Sutherland and Hodgman 1974).
void clip(Polygon& polygon, double nu, double nv, double offset) {
  Polygon out;
  for (int i = 0; i < polygon.count; ++i) {
    const Point2& p = polygon.corner[i];
    const Point2& q = polygon.corner[i + 1 == polygon.count ? 0 : i + 1];
    const double dp = nu * p.u + nv * p.v - offset;
    const double dq = nu * q.u + nv * q.v - offset;
    if (dp <= 0) out.add(p);
    if ((dp < 0 && dq > 0) || (dp > 0 && dq < 0)) {
      const double s = dp / (dp - dq);
      out.add({p.u + s * (q.u - p.u), p.v + s * (q.v - p.v)});
    }
  }
  polygon = out;
}

/// A face seen along the contact direction: its outline, and its height as a function of (u, v).
struct Shadow {
  std::uint32_t face;
  Point2 corner[3];  ///< counter-clockwise
  Point2 lo, hi;
  double height0, slope_u, slope_v;

  [[nodiscard]] double height(const Point2& p) const { return height0 + slope_u * p.u + slope_v * p.v; }
};

class Overlay {
 public:
  Overlay(const MeshPair& pair, const std::array<SheetSide, 2>& sides, const Vec3& direction,
          ContactScratch& scratch)
      : pair_(pair), sides_(sides), w_(direction), scratch_(scratch) {
    const auto tangents = tangentsOf(direction);
    u_ = tangents[0];
    v_ = tangents[1];
  }

  void run() {
    scratch_.candidates.clear();
    boundPoints();
    for (int side = 0; side < 2; ++side) project(side);
    sweep();
  }

 private:
  /// Nothing overlaps outside the extent of the region's crossings and inside vertices.
  void boundPoints() {
    for (const auto& points : scratch_.points)
      for (const Vec3& p : points) {
        const double coordinate[3] = {dot(u_, p), dot(v_, p), dot(w_, p)};
        for (int i = 0; i < 3; ++i) {
          lo_[i] = std::min(lo_[i], coordinate[i]);
          hi_[i] = std::max(hi_[i], coordinate[i]);
        }
      }
  }

  /// Faces of mesh 1 that look against the direction, and faces of mesh 2 that look along it.
  void project(int side) {
    shadows_[side].clear();
    for (const std::uint32_t t : scratch_.faces[side]) {
      const Vec3 n = sides_[side].normal(t);
      const double facing = side == 0 ? -dot(n, w_) : dot(n, w_);
      if (facing <= kSideFaceCosine) continue;
      Shadow s = shadowOf(side, t, n);
      if (s.lo.u <= hi_[0] && s.hi.u >= lo_[0] && s.lo.v <= hi_[1] && s.hi.v >= lo_[1])
        shadows_[side].push_back(s);
    }
    std::sort(shadows_[side].begin(), shadows_[side].end(), [](const Shadow& a, const Shadow& b) {
      return a.lo.u != b.lo.u ? a.lo.u < b.lo.u : a.face < b.face;
    });
  }

  [[nodiscard]] Shadow shadowOf(int side, std::uint32_t t, const Vec3& n) const {
    Shadow s{};
    s.face = t;
    for (int i = 0; i < 3; ++i) {
      const Vec3 p = pair_[side].corner(t, i);
      s.corner[i] = {dot(u_, p), dot(v_, p)};
    }
    const Point2 *a = s.corner, *b = s.corner + 1, *c = s.corner + 2;
    if ((b->u - a->u) * (c->v - a->v) < (b->v - a->v) * (c->u - a->u)) std::swap(s.corner[1], s.corner[2]);
    s.lo = {std::min({a->u, b->u, c->u}), std::min({a->v, b->v, c->v})};
    s.hi = {std::max({a->u, b->u, c->u}), std::max({a->v, b->v, c->v})};
    const double nw = dot(n, w_);
    s.slope_u = -dot(n, u_) / nw;
    s.slope_v = -dot(n, v_) / nw;
    const Vec3 p = pair_[side].corner(t, 0);
    s.height0 = dot(w_, p) - s.slope_u * dot(u_, p) - s.slope_v * dot(v_, p);
    return s;
  }

  void sweep() {
    std::size_t first = 0;
    const double widest = widestOf(shadows_[1]);
    for (const Shadow& a : shadows_[0]) {
      while (first < shadows_[1].size() && shadows_[1][first].lo.u < a.lo.u - widest) ++first;
      for (std::size_t k = first; k < shadows_[1].size() && shadows_[1][k].lo.u <= a.hi.u; ++k) {
        const Shadow& b = shadows_[1][k];
        if (b.hi.u >= a.lo.u && b.lo.v <= a.hi.v && b.hi.v >= a.lo.v) overlay(a, b);
      }
    }
  }

  [[nodiscard]] static double widestOf(const std::vector<Shadow>& shadows) {
    double widest = 0;
    for (const Shadow& s : shadows) widest = std::max(widest, s.hi.u - s.lo.u);
    return widest;
  }

  void overlay(const Shadow& a, const Shadow& b) {
    Polygon shared;
    for (const Point2& p : a.corner) shared.add(p);
    for (int i = 0; i < 3; ++i) {
      const Point2& p = b.corner[i];
      const Point2& q = b.corner[i == 2 ? 0 : i + 1];
      const double nu = q.v - p.v;
      const double nv = p.u - q.u;
      clip(shared, nu, nv, nu * p.u + nv * p.v);
    }
    clip(shared, 1, 0, hi_[0]);
    clip(shared, -1, 0, -lo_[0]);
    clip(shared, 0, 1, hi_[1]);
    clip(shared, 0, -1, -lo_[1]);
    const double greatest = (hi_[2] - lo_[2]) * (1 + 1e-9);
    for (int i = 0; i < shared.count; ++i) {
      const Point2& p = shared.corner[i];
      const double low = a.height(p);
      const double depth = b.height(p) - low;
      if (depth <= 0 || depth > greatest) continue;
      scratch_.candidates.push_back(
          {u_ * p.u + v_ * p.v + w_ * (low + 0.5 * depth), depth, {a.face, b.face}});
    }
  }

  const MeshPair& pair_;
  const std::array<SheetSide, 2>& sides_;
  Vec3 u_, v_, w_;
  ContactScratch& scratch_;
  double lo_[3] = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
                   std::numeric_limits<double>::infinity()};
  double hi_[3] = {-lo_[0], -lo_[1], -lo_[2]};
  static thread_local std::array<std::vector<Shadow>, 2> shadows_;
};

thread_local std::array<std::vector<Shadow>, 2> Overlay::shadows_;

}  // namespace

std::array<Vec3, 2> tangentsOf(const Vec3& n) {
  const double sign = std::copysign(1.0, n.z);
  const double a = -1 / (sign + n.z);
  const double b = n.x * n.y * a;
  return {Vec3{1 + sign * n.x * n.x * a, sign * b, -sign * n.x}, Vec3{b, sign + n.y * n.y * a, -n.y}};
}

void overlayFaces(const MeshPair& pair, const std::array<SheetSide, 2>& sides, const Vec3& direction,
                  ContactScratch& scratch) {
  Overlay(pair, sides, direction, scratch).run();
}

}  // namespace odemesh
