// Vertices of one mesh through faces of the other.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include "constants.hpp"
#include "contact/way_out/farthest_vertex.hpp"
#include "mid_phase/wide_rays.hpp"
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

/// The triangle beyond edge `i` of triangle `t`, or kNone.
[[nodiscard]] std::uint32_t triangleBeyond(const Mesh& mesh, std::uint32_t t, int i) {
  const MeshEdge e = mesh.edges()[mesh.edgeOf(t, i)];
  return e.triangle[0] == t ? e.triangle[1] : e.triangle[0];
}

/// Does the surface end, or turn away from `normal`, beyond edge `i` of the triangle?
[[nodiscard]] bool turnsAway(const Mesh& mesh, std::uint32_t t, int i, const Vec3& normal) {
  const std::uint32_t next = triangleBeyond(mesh, t, i);
  if (next == Mesh::kNone) return true;
  if (dot(mesh.normal(t), mesh.normal(next)) > kSharpCosine) return false;
  double highest = 0;
  for (int corner = 0; corner < 3; ++corner)
    highest = std::max(highest, dot(normal, mesh.vertex(next, corner) - mesh.vertex(t, i)));
  return highest <= kBulgeSlack * mesh.sphereRadius() * 1e-3;
}

/// Of triangle `t` at its corner `v`, in radians.
[[nodiscard]] double angleAt(const Mesh& mesh, std::uint32_t t, std::uint32_t v) {
  const auto corners = mesh.corners(t);
  const int i = corners[0] == v ? 0 : corners[1] == v ? 1 : 2;
  const Vec3& at = mesh.vertex(t, i);
  const Vec3 a = mesh.vertex(t, nextCorner(i)) - at, b = mesh.vertex(t, nextCorner(nextCorner(i))) - at;
  return std::atan2(length(cross(a, b)), dot(a, b));
}

/// An edge of a face that is near, beyond which there is nothing for a vertex to stand on.
struct Rim {
  Vec3 inwards;   ///< unit vector across it
  double passed;  ///< overlaps this way that are less do not count
};

/// What a vertex meets: a face, or a ridge or tip that it comes down on.
struct Footing {
  Vec3 normal;  ///< towards the vertex
  std::array<Rim, 3> rims{};
  std::size_t rim_count = 0;
};

/// What comes down on a ridge or a tip meets all faces there that it runs into at a greater sine than this.
constexpr double kHeadOn = 0.5;

/// Does what comes along `way` run into a face of this normal, rather than slide along it?
[[nodiscard]] bool isMet(const Vec3& normal, const Vec3& way) {
  return dot(normal, way) < -kHeadOn;
}

/// The mean direction of the faces around vertex `v` that are met, by their angles there (Thuermer and
/// Wuethrich 1998). `side` is -1 if faces are met from behind.
[[nodiscard]] Vec3 normalAtTip(const Mesh& mesh, std::uint32_t v, const Vec3& way, double side) {
  Vec3 sum;
  for (const std::uint32_t e : mesh.edgesAt(v))
    for (const std::uint32_t t : mesh.edges()[e].triangle) {
      if (t == Mesh::kNone) continue;
      const Vec3 normal = mesh.normal(t) * side;
      if (isMet(normal, way)) sum += normal * angleAt(mesh, t, v);
    }
  return normalised(sum);
}

/// At a point of triangle `t`, for what comes along the unit vector `way`. Edges and corners count that are
/// nearer than `near`, and rims from which it is no farther than `passing(inwards)`.
template <typename Passing>
[[nodiscard]] Footing footingAt(const Mesh& mesh, std::uint32_t t, const Vec3& point, const Vec3& way,
                                double near, const Passing& passing) {
  const Vec3 outwards = mesh.normal(t);
  const double side = dot(outwards, way) < 0 ? 1 : -1;
  const Vec3 face = outwards * side;
  Footing out{face};
  std::optional<std::uint32_t> tip;
  for (int i = 0; i < 3; ++i) {
    const Vec3 arm = point - mesh.vertex(t, i);
    if (lengthSq(arm) < near * near) tip = mesh.corners(t)[i];
    const Vec3 along = normalised(mesh.vertex(t, nextCorner(i)) - mesh.vertex(t, i));
    const Vec3 inwards = cross(outwards, along);
    const double off_sq = lengthSq(cross(arm, along)), passed = passing(inwards);
    if (off_sq >= passed * passed || !turnsAway(mesh, t, i, face)) continue;
    const std::uint32_t next = triangleBeyond(mesh, t, i);
    const Vec3 beyond = next != Mesh::kNone ? mesh.normal(next) * side : Vec3{};
    if (!isMet(face, way) || !isMet(beyond, way))
      out.rims[out.rim_count++] = {inwards, passed};
    else if (off_sq < near * near)
      out.normal += beyond;
  }
  if (isMet(face, way)) out.normal = tip ? normalAtTip(mesh, *tip, way, side) : normalised(out.normal);
  return out;
}

/// Does what is around a vertex stand on it too, and not just pass its rims? `pose` is that of the vertex's
/// mesh in the frame of the footing.
[[nodiscard]] bool standsOn(const Footing& footing, const Mesh& mesh, std::uint32_t v, const Pose& pose) {
  const auto reachesIn = [&](const Rim& rim) {
    bool reaches = false;
    mesh.forEachNeighbour(v, [&](std::uint32_t other) {
      const Vec3 arm = pose.rotate(mesh.vertices()[other] - mesh.vertices()[v]);
      reaches = reaches || (std::abs(dot(arm, footing.normal)) <= kBulgeSlack * length(arm) &&
                            dot(arm, rim.inwards) > rim.passed);
    });
    return reaches;
  };
  return std::all_of(footing.rims.begin(), footing.rims.begin() + std::ptrdiff_t(footing.rim_count),
                     reachesIn);
}

}  // namespace

void ImpactSearch::meetFaces(int side, const StepPart& part) {
  const Aabb bounds = boundsOf(*mesh_[1 - side], 2 * hair_);
  for (const std::uint32_t v : scratch_.vertices[side])
    if (!mesh_[side]->isFlat(v)) meetFacesAt(side, v, bounds, part);
}

/// The same of that vertex alone that is foremost when the part begins.
void ImpactSearch::meetFacesOfTip(int side, const StepPart& part) {
  const Mesh& mesh = *mesh_[side];
  const Vec3 centre = mesh.sphereCentre(),
             way = part.end[side].apply(centre) - part.begin[side].apply(centre);
  const std::uint32_t v = farthestVertex(mesh, part.begin[side].rotation.transposed() * way);
  if (mesh.isFlat(v)) return;
  makeRoomForSwept(side);
  scratch_.swept[side][v] = sweptIn(part, side, v);
  meetFacesAt(side, v, boundsOf(*mesh_[1 - side], 2 * hair_), part);
}

void ImpactSearch::meetFacesAt(int side, std::uint32_t v, const Aabb& bounds, const StepPart& part) {
  const SweptVertex& swept = scratch_.swept[side][v];
  Aabb box;
  box.grow(wayOf(swept).from);
  box.grow(swept.to);
  if (!box.meets(bounds)) return;
  const auto first = firstFaceMet(side, v, swept, part, shareUntilLatest(part));
  if (!first) return;
  const auto comes_in = [&](const StepPart& p) {
    return firstFaceMet(side, v, withoutForces(sweptIn(p, side, v), *first, p), p, 1).has_value();
  };
  if (hasToComeWithoutForces(*first) && std::ranges::none_of(fromOn(part), comes_in)) return;
  add(*first);
}

/// The first face of the other mesh that a vertex comes down on by a share `until` of the part.
std::optional<ImpactSearch::Meeting> ImpactSearch::firstFaceMet(int side, std::uint32_t v,
                                                                const SweptVertex& swept,
                                                                const StepPart& part, double until) const {
  const Mesh& mesh = *mesh_[side];
  const Mesh& other = *mesh_[1 - side];
  const Way way = wayOf(swept);
  const Vec3 direction = way.to - way.from, unit_direction = normalised(direction);
  const Vec3 settled = wayWithoutForces(side, v, part);
  std::optional<Meeting> first;
  const auto meet = [&](std::uint32_t t, double& limit) {
    if (other.isSolid() && looksAlong(other, t, direction)) return;
    const auto hit = intersectSegment(way.from, way.to, triangleOf(other, t));
    if (!hit) return;
    const double time = way.timeAt(hit->t, part);
    if (first && std::pair(first->time, first->other_triangle) <= std::pair(time, t)) return;
    const auto passing = [&](const Vec3& inwards) { return passedAlong(inwards, other.normal(t), settled); };
    const Footing footing = footingAt(other, t, hit->point, unit_direction, graze_, passing);
    const Pose pose = motion_[side].at(time), other_pose = motion_[1 - side].at(time);
    const Pose then = relativePose(other_pose, pose);
    if (!standsOn(footing, mesh, v, then)) return;
    const bool leads = bulges(mesh, v, then, footing.normal);
    first = Meeting{side, hit->point, footing.normal, time, pose, other_pose, mesh.triangleAt(v), t, leads};
    limit = hit->t;
  };
  TreeRay::in(other.wideTree(), way.from, direction).search((until + way.lead) / (1 + way.lead), meet);
  return first;
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

}  // namespace odemesh
