// Edges of one mesh through edges of the other.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "constants.hpp"
#include "contact/projection.hpp"
#include "motion/impact_search.hpp"
#include "separation/segment_segment.hpp"

namespace odemesh {

namespace {

/// Of what is computed twice in two ways.
constexpr double kRounding = 1e-9;

/// The roots of a + b x + c x^2 in [0, 1], in ascending order; returns how many.
[[nodiscard]] int rootsWithinOne(double a, double b, double c, std::array<double, 2>& roots) {
  int count = 0;
  const auto offer = [&](double x) {
    if (x >= 0 && x <= 1) roots[std::size_t(count++)] = x;
  };
  const double square = b * b - 4 * a * c;
  if (!(square >= 0)) return 0;
  // The larger of the two first, so that nothing cancels.
  const double q = -0.5 * (b + std::copysign(std::sqrt(square), b));
  if (q != 0) offer(a / q);
  if (c != 0) offer(q / c);
  if (count == 2 && roots[0] > roots[1]) std::swap(roots[0], roots[1]);
  return count;
}

[[nodiscard]] Segment segmentOf(const Mesh& mesh, const MeshEdge& edge) {
  return {mesh.vertices()[edge.v[0]], mesh.vertices()[edge.v[1]]};
}

[[nodiscard]] Segment between(const Segment& s, const Segment& t, double share) {
  return {s.a + (t.a - s.a) * share, s.b + (t.b - s.b) * share};
}

[[nodiscard]] Aabb boxOf(const Segment& s) {
  Aabb box;
  box.grow(s.a);
  box.grow(s.b);
  return box;
}

/// Do the faces beside an edge lie on the side of `normal`, in the mesh's frame?
[[nodiscard]] bool liesOn(const FacesBeside& beside, const Vec3& normal) {
  return std::ranges::all_of(beside.arms(),
                             [&](const Vec3& arm) { return dot(arm, normal) >= -kBulgeSlack; });
}

/// Does a ridge go on beyond the end `v` of one of its edges, without turning much?
[[nodiscard]] bool goesOn(const Mesh& mesh, const MeshEdge& edge, std::uint32_t v) {
  const Vec3 along = normalised(mesh.vertices()[v] - mesh.vertices()[edge.v[edge.v[0] == v ? 1 : 0]]);
  for (const std::uint32_t e : mesh.edgesAt(v)) {
    const Vec3 arm = mesh.vertices()[mesh.otherEnd(e, v)] - mesh.vertices()[v];
    if (dot(arm, along) > kSharpCosine * length(arm) && EdgeNormals(mesh, mesh.edges()[e]).isRidge())
      return true;
  }
  return false;
}

/// Is the place at `share` of an edge (`s` at that time) as good as at one of its ends, and does its ridge
/// end there?
[[nodiscard]] bool isAtEnd(const Mesh& mesh, const MeshEdge& edge, const Segment& s, double share,
                           double near) {
  const double reach = length(s.b - s.a);
  return reach > 2 * near && std::min(share, 1 - share) * reach < near &&
         !goesOn(mesh, edge, edge.v[share < 0.5 ? 0 : 1]);
}

/// Around all of them.
[[nodiscard]] Aabb boundsOf(const std::vector<BoxedEdge>& edges) {
  Aabb all;
  for (const BoxedEdge& e : edges) all.grow(e.box);
  return all;
}

/// The rows are axes of which the last one is that of `way`; it is zero if that is.
[[nodiscard]] Mat3 axesAlong(const Vec3& way) {
  const Vec3 last = normalised(way);
  const auto [first, second] = tangentsOf(last);
  return {{first, second, last}};
}

}  // namespace

FacesBeside::FacesBeside(const Mesh& mesh, const MeshEdge& edge) {
  const Vec3& origin = mesh.vertices()[edge.v[0]];
  const Vec3 along = normalised(mesh.vertices()[edge.v[1]] - origin);
  for (const std::uint32_t t : edge.triangle) {
    if (t == Mesh::kNone) continue;
    for (int i = 0; i < 3; ++i)
      if (const std::uint32_t v = mesh.corners(t)[i]; v != edge.v[0] && v != edge.v[1]) {
        const Vec3 arm = mesh.vertices()[v] - origin;
        arm_[count_++] = normalised(arm - along * dot(arm, along));
      }
  }
}

void ImpactSearch::meetEdges(const StepPart& part) {
  const Mat3 axes =
      axesAlong(part.end[0].apply(mesh_[0]->sphereCentre()) - part.begin[0].apply(mesh_[0]->sphereCentre()));
  boxStillEdges(axes, part);
  boxMovingEdges(axes, part);
  auto& [moving, still] = scratch_.boxed_edges;
  std::erase_if(still, [&, reach = boundsOf(moving)](const BoxedEdge& e) { return !e.box.meets(reach); });
  auto& moving_edges = scratch_.moving_edges;
  auto& still_edges = scratch_.still_edges;
  moving_edges.clear();
  still_edges.clear();
  for (const BoxedEdge& e : moving) {
    const MeshEdge own = mesh_[0]->edges()[e.edge];
    moving_edges.push_back(movingEdge(own, scratch_.swept[0][own.v[0]], scratch_.swept[0][own.v[1]], part));
  }
  for (const BoxedEdge& e : still) still_edges.push_back(stillEdge(e.edge));
  const double turn = turnWithin(part.duration);
  scratch_.meeting_boxes.forEachPair(moving, still, [&](std::uint32_t i, std::uint32_t j) {
    if (mayFace(moving_edges[i], still_edges[j], turn)) meetEdgePair(moving_edges[i], still_edges[j], part);
  });
}

/// What the edges of mesh 2 lie in.
void ImpactSearch::boxStillEdges(const Mat3& axes, const StepPart& part) {
  auto& still = scratch_.boxed_edges[1];
  still.clear();
  for (const std::uint32_t e : scratch_.edges[1]) {
    const MeshEdge edge = mesh_[1]->edges()[e];
    if (!mayBeMet(1, edge, part)) continue;
    const Segment s = segmentOf(*mesh_[1], edge);
    still.push_back({e, boxOf({axes * s.a, axes * s.b})});
  }
}

/// What the edges of mesh 1 sweep over in the frame of mesh 2 as long as what they meet counts, if that is
/// near edges there.
void ImpactSearch::boxMovingEdges(const Mat3& axes, const StepPart& part) {
  auto& [moving, still] = scratch_.boxed_edges;
  moving.clear();
  const Aabb reach = boundsOf(still);
  const Vec3 slack = Vec3{4, 4, 4} * hair_;
  const double until = shareUntilLatest(part);
  for (const std::uint32_t e : scratch_.edges[0]) {
    const MeshEdge edge = mesh_[0]->edges()[e];
    const SweptVertex &a = scratch_.swept[0][edge.v[0]], &b = scratch_.swept[0][edge.v[1]];
    Aabb box;
    for (const SweptVertex& end : {a, b}) {
      box.grow(axes * end.from);
      box.grow(axes * (end.from + (end.to - end.from) * until));
    }
    box.lo -= slack;
    box.hi += slack;
    if (box.meets(reach) && mayBeMet(0, edge, part)) moving.push_back({e, box});
  }
}

/// Edges between faces of one plane meet nothing, nor does a surface of a solid that moves backwards.
bool ImpactSearch::mayBeMet(int side, const MeshEdge& edge, const StepPart& part) const {
  const EdgeNormals normals(*mesh_[side], edge);
  if (!normals.isRidge()) return false;
  if (!mesh_[side]->isSolid() || !normals.has_two) return true;
  const SweptVertex &a = scratch_.swept[side][edge.v[0]], &b = scratch_.swept[side][edge.v[1]];
  const Vec3 motion = part.begin[side].rotation.transposed() * (0.5 * (a.to + b.to - a.from - b.from));
  const double slack = 0.5 * length((b.to - b.from) - (a.to - a.from));
  return !(dot(normals.first, motion) < -slack && dot(normals.second, motion) < -slack);
}

StillEdge ImpactSearch::stillEdge(std::uint32_t edge) const {
  const MeshEdge own = mesh_[1]->edges()[edge];
  return {own, segmentOf(*mesh_[1], own), {*mesh_[1], own}};
}

/// With its ends on their ways.
MovingEdge ImpactSearch::movingEdge(const MeshEdge& own, const SweptVertex& a, const SweptVertex& b,
                                    const StepPart& part) const {
  const Way way = wayOf(a);
  const FacesBeside beside(*mesh_[0], own);
  return {own,          way,    {way.from, b.from - (b.to - b.from) * way.lead},
          {a.to, b.to}, beside, beside.turned(part.begin[0].rotation)};
}

/// Do the faces beside two edges let these face each other in a part of the step: do all of them lie behind a
/// plane that holds both directions, at some time? Most edges that pass each other do not (they make no face
/// of the Minkowski difference).
bool ImpactSearch::mayFace(const MovingEdge& own, const StillEdge& other, double turn) const {
  const Vec3 way = own.end.a - own.begin.a, along = own.begin.b - own.begin.a;
  const Vec3 other_along = other.place.b - other.place.a, normal = cross(along, other_along);
  // How far these may be off in the course of it.
  const double spread = length((own.end.b - own.end.a) - along), swing = spread * length(other_along);
  const double most = length(normal) + swing, slack = (kBulgeSlack + kRounding) * most;
  const double approach = dot(normal, way), doubt = spread * most + length(way) * swing;
  for (const double sign : {1.0, -1.0}) {
    if (sign * approach > doubt) continue;  // they would part
    const auto isBehind = [&](const FacesBeside& beside, double side, double off) {
      return std::ranges::all_of(beside.arms(),
                                 [&](const Vec3& arm) { return side * dot(arm, normal) <= slack + off; });
    };
    if (isBehind(other.beside, sign, swing) && isBehind(own.beside_at_begin, -sign, swing + turn * most))
      return true;
  }
  return false;
}

void ImpactSearch::meetEdgePair(const MovingEdge& own, const StillEdge& other, const StepPart& part) {
  const auto first = firstMeeting(own, other, part);
  if (!first || first->time > latest_) return;
  const auto comes_in = [&](const StepPart& p) {
    const MovingEdge then =
        movingEdge(own.edge, sweptIn(p, 0, own.edge.v[0]), sweptIn(p, 0, own.edge.v[1]), p);
    return firstMeeting(withoutForces(then, *first, p), other, p).has_value();
  };
  if (hasToComeWithoutForces(*first) && std::ranges::none_of(fromOn(part), comes_in)) return;
  add(*first);
}

/// An edge on the way that it would take without the forces of the step.
MovingEdge ImpactSearch::withoutForces(MovingEdge edge, const Meeting& meeting, const StepPart& part) const {
  const auto& [begin, end] = gains(0, meeting, part);
  edge.way.from = edge.way.from - begin;
  edge.way.to = edge.way.to - end;
  edge.begin = {edge.begin.a - begin, edge.begin.b - begin};
  edge.end = {edge.end.a - end, edge.end.b - end};
  return edge;
}

std::optional<ImpactSearch::Meeting> ImpactSearch::firstMeeting(const MovingEdge& own, const StillEdge& other,
                                                                const StepPart& part) const {
  const Segment &begin = own.begin, &end = own.end, &still = other.place;
  // The edges meet where the four ends lie in one plane: a quadratic in time.
  const Vec3 e = still.b - still.a, u = begin.b - begin.a, w = still.a - begin.a;
  const Vec3 da = end.a - begin.a, du = (end.b - end.a) - u;
  std::array<double, 2> roots;
  const int count =
      rootsWithinOne(dot(cross(u, w), e), dot(cross(du, w) - cross(u, da), e), -dot(cross(du, da), e), roots);
  for (int i = 0; i < count; ++i) {
    const double share = roots[std::size_t(i)];
    const Segment moved = between(begin, end, share);
    const ClosestOnSegments c = closestOnSegments(moved.a, moved.b, still.a, still.b);
    if (c.distance_sq > hair_ * hair_ * 4) continue;
    Vec3 normal = cross(moved.b - moved.a, e);
    if (lengthSq(normal) < kLeastCrossing * kLeastCrossing * lengthSq(moved.b - moved.a) * lengthSq(e))
      continue;
    normal = normalised(normal);
    if (dot(normal, da + (end.b - begin.b - da) * c.s) > 0) normal = -normal;
    const Vec3 settled = wayWithoutForces(0, own.edge.v[c.s < 0.5 ? 0 : 1], part);
    const auto passedBy = [&](const Segment& s) {
      return passedAlong(normalised(s.b - s.a), normal, settled);
    };
    if (isAtEnd(*mesh_[0], own.edge, moved, c.s, passedBy(moved)) ||
        isAtEnd(*mesh_[1], other.edge, still, c.t, passedBy(still)))
      continue;
    if (!liesOn(other.beside, -normal)) continue;
    const double time = own.way.timeAt(share, part);
    const Pose pose = motion_[0].at(time), other_pose = motion_[1].at(time);
    const Pose then = relativePose(other_pose, pose);
    if (!liesOn(own.beside, then.rotation.transposed() * normal)) continue;
    return Meeting{0, c.point2, normal, time, pose, other_pose, own.edge.triangle[0], other.edge.triangle[0]};
  }
  return std::nullopt;
}

}  // namespace odemesh
