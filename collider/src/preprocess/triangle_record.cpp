#include "preprocess/triangle_record.hpp"

#include <algorithm>
#include <cmath>

namespace odemesh {
namespace {

void setEdges(TriangleRecord& r) {
  for (int i = 0; i < 3; ++i) r.edge[i] = r.v[nextCorner(i)] - r.v[i];
}

void setNormals(TriangleRecord& r) {
  r.normal = normalised(cross(r.edge[0], r.edge[1]));
  for (int i = 0; i < 3; ++i) r.edge_normal[i] = normalised(cross(r.edge[i], r.normal));
}

void setBarycentricSystem(TriangleRecord& r) {
  const double mixed = dot(r.edge[0], r.edge[2]);
  r.f0 = {lengthSq(r.edge[0]), mixed};
  r.f2 = {mixed, lengthSq(r.edge[2])};
  // F0 x F2 = |E0 x E2|^2, which loses less to cancellation written so.
  const double inverse = 1 / lengthSq(cross(r.edge[0], r.edge[2]));
  r.inverse_determinant = std::isfinite(inverse) ? inverse : 0;
}

void setSphere(TriangleRecord& r) {
  r.centre = r.v[0] + (r.edge[0] - r.edge[2]) / 3;
  for (const Vec3& corner : r.v) r.radius = std::max(r.radius, length(corner - r.centre));
}

}  // namespace

TriangleRecord makeTriangleRecord(const Triangle& triangle) {
  TriangleRecord record;
  std::copy(triangle.v, triangle.v + 3, record.v);
  setEdges(record);
  setNormals(record);
  setBarycentricSystem(record);
  setSphere(record);
  return record;
}

bool spheresMeet(const TriangleRecord& a, const TriangleRecord& b, double margin) {
  const double reach = a.radius + b.radius + margin;
  return lengthSq(b.centre - a.centre) <= reach * reach;
}

}  // namespace odemesh
