#include "contact/triangle_contact.hpp"

#include <algorithm>

#include "narrow_phase/segment_triangle.hpp"

namespace odemesh {

namespace {

/// How far a triangle reaches behind a plane.
[[nodiscard]] double depthBehind(const Vec3& point, const Vec3& normal, const Triangle& t) {
  double depth = 0;
  for (const Vec3& corner : t.v) depth = std::max(depth, dot(normal, point - corner));
  return depth;
}

struct PointSum {
  Vec3 sum;
  int count = 0;
};

void addCrossings(const Triangle& edges, const Triangle& face, PointSum& points) {
  for (int i = 0; i < 3; ++i)
    if (const auto hit = intersectSegment(edges.v[i], edges.v[nextCorner(i)], face)) {
      points.sum += hit->point;
      ++points.count;
    }
}

/// Of triangles in one plane, whose edges cross no face, the nearest that is known of both.
[[nodiscard]] Vec3 middleOfCrossing(const Triangle& a, const Triangle& b) {
  PointSum points;
  addCrossings(a, b, points);
  addCrossings(b, a, points);
  if (points.count > 0) return points.sum / points.count;
  return (a.v[0] + a.v[1] + a.v[2] + b.v[0] + b.v[1] + b.v[2]) / 6;
}

}  // namespace

Contact triangleContact(const MeshPair& pair, std::uint32_t face1, std::uint32_t face2) {
  const Triangle a = pair[0].triangle(face1), b = pair[1].triangle(face2);
  const Vec3 normal_a = pair[0].normal(face1), normal_b = pair[1].normal(face2);
  const double behind_a = depthBehind(a.v[0], normal_a, b), behind_b = depthBehind(b.v[0], normal_b, a);
  const Vec3 normal = behind_b <= behind_a ? normal_b : -normal_a;
  const Vec3 middle = middleOfCrossing(a, b);
  return {pair.toWorld().apply(middle), pair.toWorld().rotate(normal),
          pair.tolerances().reported(std::min(behind_a, behind_b)), pair[0].inputTriangleAt(face1, middle),
          pair[1].inputTriangleAt(face2, middle)};
}

TrianglePair inputPair(const MeshPair& pair, std::uint32_t face1, std::uint32_t face2) {
  const Mesh &mesh1 = pair[0].mesh(), &mesh2 = pair[1].mesh();
  if (!mesh1.isMerged() && !mesh2.isMerged()) return {mesh1.inputTriangle(face1), mesh2.inputTriangle(face2)};
  const Contact contact = triangleContact(pair, face1, face2);
  return {contact.triangle1, contact.triangle2};
}

}  // namespace odemesh
