// Vertices of one mesh through faces of the other.
#include <algorithm>
#include <optional>

#include "constants.hpp"
#include "motion/impact_search.hpp"
#include "narrow_phase/segment_triangle.hpp"
#include "narrow_phase/triangle.hpp"

namespace odemesh {

namespace {

/// Does triangle `t` look along `direction`, or across it?
[[nodiscard]] bool looksAlong(const Mesh& mesh, std::uint32_t t, const Vec3& direction) {
  const Vec3& a = mesh.vertex(t, 0);
  return dot(cross(mesh.vertex(t, 1) - a, mesh.vertex(t, 2) - a), direction) >= 0;
}

/// The mesh's bounding box, larger by `slack`.
[[nodiscard]] Aabb boundsOf(const Mesh& mesh, double slack) {
  const Vec3 reach = mesh.boxHalfExtent() + Vec3{slack, slack, slack};
  return {mesh.sphereCentre() - reach, mesh.sphereCentre() + reach};
}

/// Does the surface end, or turn away from `normal`, beyond edge `i` of the triangle?
[[nodiscard]] bool turnsAway(const Mesh& mesh, std::uint32_t t, int i, const Vec3& normal) {
  const MeshEdge e = mesh.edges()[mesh.edgeOf(t, i)];
  const std::uint32_t next = e.triangle[0] == t ? e.triangle[1] : e.triangle[0];
  if (next == Mesh::kNone) return true;
  if (dot(mesh.normal(t), mesh.normal(next)) > kSharpCosine) return false;
  double highest = 0;
  for (int corner = 0; corner < 3; ++corner)
    highest = std::max(highest, dot(normal, mesh.vertex(next, corner) - mesh.vertex(t, i)));
  return highest <= kBulgeSlack * mesh.sphereRadius() * 1e-3;
}

}  // namespace

void ImpactSearch::meetFaces(int side, const StepPart& part) {
  const Aabb bounds = boundsOf(*mesh_[1 - side], 2 * hair_);
  for (const std::uint32_t v : scratch_.vertices[side])
    if (!mesh_[side]->isFlat(v)) meetFacesAt(side, v, bounds, part);
}

void ImpactSearch::meetFacesAt(int side, std::uint32_t v, const Aabb& bounds, const StepPart& part) {
  const Mesh& mesh = *mesh_[side];
  const Mesh& other = *mesh_[1 - side];
  const Way way = wayOf(scratch_.swept[side][v]);
  const Vec3 direction = way.to - way.from;
  if (!isFar(lengthSq(direction), part)) return;
  Aabb box;
  box.grow(way.from);
  box.grow(way.to);
  if (!box.meets(bounds)) return;
  std::optional<Meeting> first;
  bool leads = false;
  forEachTriangleNear(other, box, [&](std::uint32_t t) {
    if (other.isSolid() && looksAlong(other, t, direction)) return;
    const auto hit = intersectSegment(way.from, way.to, triangleOf(other, t));
    if (!hit) return;
    const double time = way.timeAt(hit->t, part);
    if (first && std::pair(first->time, first->other_triangle) <= std::pair(time, t)) return;
    const Vec3 face = other.normal(t), normal = dot(face, direction) < 0 ? face : -face;
    if (grazes(1 - side, t, normal, hit->point)) return;
    const Pose pose = motion_[side].at(time), other_pose = motion_[1 - side].at(time);
    leads = bulges(mesh, v, relativePose(other_pose, pose), normal);
    first = Meeting{side, hit->point, normal, time, pose, other_pose, mesh.triangleAt(v), t};
  });
  if (first) add(*first, leads ? scratch_.found : scratch_.followers);
}

bool bulges(const Mesh& mesh, std::uint32_t v, const Pose& pose, const Vec3& normal) {
  const Vec3 local_normal = pose.rotation.transposed() * normal;
  for (const std::uint32_t e : mesh.edgesAt(v)) {
    const MeshEdge edge = mesh.edges()[e];
    const Vec3 arm = mesh.vertices()[edge.v[edge.v[0] == v ? 1 : 0]] - mesh.vertices()[v];
    if (dot(arm, local_normal) < -kBulgeSlack * length(arm)) return false;
  }
  return true;
}

bool ImpactSearch::grazes(int side, std::uint32_t triangle, const Vec3& normal, const Vec3& point) const {
  const Mesh& mesh = *mesh_[side];
  for (int i = 0; i < 3; ++i) {
    const Vec3& begin = mesh.vertex(triangle, i);
    const Vec3 along = normalised(mesh.vertex(triangle, nextCorner(i)) - begin);
    const Vec3 arm = point - begin;
    if (lengthSq(cross(arm, along)) < graze_ * graze_ && turnsAway(mesh, triangle, i, normal)) return true;
  }
  return false;
}

}  // namespace odemesh
