#include "narrow_phase/intersect_edge_plane.hpp"

#include "narrow_phase/coplanar.hpp"
#include "narrow_phase/sides.hpp"
#include "narrow_phase/tolerance.hpp"

namespace odemesh {
namespace {

/// Of a triangle's corners from the other's plane; those within the tolerance are 0.
Distances distancesFrom(const TriangleRecord& plane, const TriangleRecord& t, double tolerance) {
  Distances out;
  for (int i = 0; i < 3; ++i) {
    const double d = dot(plane.normal, t.v[i] - plane.v[0]);
    out.sides.s[i] = (d > tolerance) - (d < -tolerance);
    out.d[i] = out.sides.s[i] == 0 ? 0 : d;
  }
  return out;
}

/// Does an edge of `t` meet `triangle`? An edge whose ends lie on the same side does not reach the plane. One
/// that runs within the plane is left to the edges that end where it does, and to those of the other
/// triangle: with equal distances there is no point to divide out.
bool edgePierces(const TriangleRecord& t, const Distances& distances, const TriangleRecord& triangle,
                 PointInTriangle form, double tolerance) {
  for (int i = 0; i < 3; ++i) {
    const int j = nextCorner(i);
    const int si = distances.sides.s[i], sj = distances.sides.s[j];
    if (si == sj || si * sj > 0) continue;
    const double s = distances.d[i] / (distances.d[i] - distances.d[j]);
    const Vec3 p = t.v[i] + s * t.edge[i];
    if (form == PointInTriangle::kEdgeNormals ? insideByEdgeNormals(triangle, p, tolerance)
                                              : insideByBarycentric(triangle, p, kRelativeTolerance)) {
      return true;
    }
  }
  return false;
}

bool meetInPlane(const TriangleRecord& a, const TriangleRecord& b) {
  const int axis = dominantAxis(a.normal);
  return trianglesMeet2d(dropAxis(Triangle{{a.v[0], a.v[1], a.v[2]}}, axis),
                         dropAxis(Triangle{{b.v[0], b.v[1], b.v[2]}}, axis), roundedOrient2d);
}

}  // namespace

bool insideByEdgeNormals(const TriangleRecord& triangle, const Vec3& p, double tolerance) {
  for (int i = 0; i < 3; ++i) {
    if (dot(triangle.edge_normal[i], p - triangle.v[i]) > tolerance) return false;
  }
  return true;
}

bool insideByBarycentric(const TriangleRecord& triangle, const Vec3& p, double tolerance) {
  const Vec3 q = p - triangle.v[0];
  const double gx = dot(triangle.edge[0], q), gy = dot(triangle.edge[2], q);
  const double u = (gx * triangle.f2.y - gy * triangle.f2.x) * triangle.inverse_determinant;
  const double v = (gx * triangle.f0.y - gy * triangle.f0.x) * triangle.inverse_determinant;
  return u > -tolerance && v > -tolerance && u + v < 1 + tolerance;
}

bool trianglesIntersectEdgePlane(const TriangleRecord& a, const TriangleRecord& b, PointInTriangle form) {
  if (!a.hasArea() || !b.hasArea() || !spheresMeet(a, b)) return false;
  const double tolerance = kRelativeTolerance * (a.radius + b.radius);
  const Distances b_distances = distancesFrom(a, b, tolerance);
  if (b_distances.sides.onOneSide()) return false;
  const Distances a_distances = distancesFrom(b, a, tolerance);
  if (a_distances.sides.onOneSide()) return false;
  if (a_distances.sides.inPlane() || b_distances.sides.inPlane()) return meetInPlane(a, b);
  return edgePierces(a, a_distances, b, form, tolerance) || edgePierces(b, b_distances, a, form, tolerance);
}

}  // namespace odemesh
