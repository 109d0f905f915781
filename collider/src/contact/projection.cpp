#include "contact/projection.hpp"

#include <cmath>

namespace odemesh {

std::array<Vec3, 2> tangentsOf(const Vec3& n) {
  const double sign = std::copysign(1.0, n.z);
  const double a = -1 / (sign + n.z);
  const double b = n.x * n.y * a;
  return {Vec3{1 + sign * n.x * n.x * a, sign * b, -sign * n.x}, Vec3{b, sign + n.y * n.y * a, -n.y}};
}

void Projection::cast(const RegionFace& face, const ShadowExtent& extent,
                      std::vector<Outline>& outlines) const {
  const Corners corners = cornersOf(face);
  if (corners.bounds.meets(extent)) outline(face, corners, outlines.emplace_back());
}

void Projection::cast(const Mesh& mesh, const RegionFace& face, const ShadowExtent& extent, double reach,
                      std::vector<Shadow>& shadows) const {
  const Corners corners = cornersOf(face);
  if (!corners.bounds.meets(extent)) return;
  Shadow& s = shadows.emplace_back();
  outline(face, corners, s);
  s.face = face.face;
  s.normal = face.normal;
  for (int i = 0; i < 3; ++i) {
    s.vertex[i] = mesh.corners(face.face)[s.meshCorner(i)];
    s.flat |= unsigned(mesh.isFlat(s.vertex[i])) << i;
  }
  s.findSides(reach);
}

Projection::Corners Projection::cornersOf(const RegionFace& face) const {
  Corners out{{of(face.triangle.v[0]), of(face.triangle.v[1]), of(face.triangle.v[2])}, {}};
  for (const ShadowPoint& p : out.at) out.bounds.take(p);
  return out;
}

void Projection::outline(const RegionFace& face, const Corners& corners, Outline& out) const {
  const auto& [a, b, c] = corners.at;
  out.lo = corners.bounds.lo;
  out.hi = corners.bounds.hi;
  out.is_mirrored = turn(a, b, c) < 0;
  out.setCorner(0, a);
  out.setCorner(out.is_mirrored ? 2 : 1, b);
  out.setCorner(out.is_mirrored ? 1 : 2, c);
  const double nw = dot(face.normal, w);
  out.looks_up = nw > 0;
  out.slope_u = -dot(face.normal, u) / nw;
  out.slope_v = -dot(face.normal, v) / nw;
  out.height0 = height(face.triangle.v[0]) - out.slope_u * a.u - out.slope_v * a.v;
}

}  // namespace odemesh
