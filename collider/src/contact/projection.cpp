#include "contact/projection.hpp"

#include <cmath>

namespace odemesh {

std::array<Vec3, 2> tangentsOf(const Vec3& n) {
  const double sign = std::copysign(1.0, n.z);
  const double a = -1 / (sign + n.z);
  const double b = n.x * n.y * a;
  return {Vec3{1 + sign * n.x * n.x * a, sign * b, -sign * n.x}, Vec3{b, sign + n.y * n.y * a, -n.y}};
}

void Projection::cast(const PlacedMesh& placed, const RegionFace& face, const ShadowExtent& extent,
                      double reach, std::vector<Shadow>& shadows) const {
  const auto& [t, n, area] = face;
  const Vec3 first = placed.corner(t, 0);
  const ShadowPoint a = of(first), b = of(placed.corner(t, 1)), c = of(placed.corner(t, 2));
  ShadowExtent bounds;
  for (const ShadowPoint& p : {a, b, c}) bounds.take(p);
  if (!bounds.meets(extent)) return;
  Shadow& s = shadows.emplace_back();
  s.face = t;
  s.normal = n;
  s.lo = bounds.lo;
  s.hi = bounds.hi;
  s.is_mirrored = turn(a, b, c) < 0;
  s.setCorner(0, a);
  s.setCorner(s.is_mirrored ? 2 : 1, b);
  s.setCorner(s.is_mirrored ? 1 : 2, c);
  const Mesh& mesh = placed.mesh();
  for (int i = 0; i < 3; ++i) {
    s.vertex[i] = mesh.corners(t)[s.meshCorner(i)];
    s.flat |= unsigned(mesh.isFlat(s.vertex[i])) << i;
  }
  const double nw = dot(n, w);
  s.slope_u = -dot(n, u) / nw;
  s.slope_v = -dot(n, v) / nw;
  s.height0 = height(first) - s.slope_u * a.u - s.slope_v * a.v;
  s.findSides(reach);
}

}  // namespace odemesh
