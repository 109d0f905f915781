// Edges of one mesh through edges of the other.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "constants.hpp"
#include "motion/impact_search.hpp"
#include "separation/segment_segment.hpp"

namespace odemesh {

namespace {

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

/// Do the faces beside the edge lie on the side of `normal`, in the mesh's frame?
[[nodiscard]] bool liesBehind(const Mesh& mesh, const MeshEdge& edge, const Vec3& normal) {
  const Vec3& origin = mesh.vertices()[edge.v[0]];
  for (const std::uint32_t t : edge.triangle) {
    if (t == Mesh::kNone) continue;
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t v = mesh.corners(t)[i];
      if (v == edge.v[0] || v == edge.v[1]) continue;
      const Vec3 arm = mesh.vertices()[v] - origin;
      if (dot(arm, normal) < -kBulgeSlack * length(arm)) return false;
    }
  }
  return true;
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

/// Calls `on_pair(seen, edge)` for edges of the second list and those of the first, as `see` returns them,
/// whose boxes meet. Sort and sweep.
template <typename See, typename OnPair>
void forEachMeeting(std::vector<BoxedEdge>& first, std::vector<BoxedEdge>& second, See&& see,
                    OnPair&& on_pair) {
  for (auto* edges : {&first, &second})
    std::ranges::sort(*edges, {}, [](const BoxedEdge& e) { return std::pair(e.box.lo.x, e.edge); });
  double widest = 0;
  for (const BoxedEdge& b : second) widest = std::max(widest, b.box.hi.x - b.box.lo.x);
  auto begin = second.begin();
  for (const BoxedEdge& a : first) {
    while (begin != second.end() && begin->box.lo.x < a.box.lo.x - widest) ++begin;
    const auto seen = see(a.edge);
    for (auto b = begin; b != second.end() && b->box.lo.x <= a.box.hi.x; ++b)
      if (a.box.meets(b->box)) on_pair(seen, b->edge);
  }
}

}  // namespace

void ImpactSearch::meetEdges(const StepPart& part) {
  boxStillEdges();
  boxMovingEdges(part);
  auto& [moving, still] = scratch_.boxed_edges;
  std::erase_if(still, [&, reach = boundsOf(moving)](const BoxedEdge& e) {
    return !e.box.meets(reach) || !EdgeNormals(*mesh_[1], mesh_[1]->edges()[e.edge]).isRidge();
  });
  forEachMeeting(
      moving, still, [&](std::uint32_t edge) { return movingEdge(edge); },
      [&](const MovingEdge& own, std::uint32_t edge2) { meetEdgePair(own, edge2, part); });
}

/// What the edges of mesh 2 lie in.
void ImpactSearch::boxStillEdges() {
  auto& still = scratch_.boxed_edges[1];
  still.clear();
  for (const std::uint32_t e : scratch_.edges[1])
    still.push_back({e, boxOf(segmentOf(*mesh_[1], mesh_[1]->edges()[e]))});
}

/// What the edges of mesh 1 sweep over in the frame of mesh 2, if that is near edges there.
void ImpactSearch::boxMovingEdges(const StepPart& part) {
  auto& [moving, still] = scratch_.boxed_edges;
  moving.clear();
  const Aabb reach = boundsOf(still);
  const Vec3 slack = Vec3{4, 4, 4} * hair_;
  for (const std::uint32_t e : scratch_.edges[0]) {
    const MeshEdge edge = mesh_[0]->edges()[e];
    const SweptVertex &a = scratch_.swept[0][edge.v[0]], &b = scratch_.swept[0][edge.v[1]];
    Aabb box = boxOf({a.from, b.from});
    box.grow(a.to);
    box.grow(b.to);
    box.lo -= slack;
    box.hi += slack;
    if (!box.meets(reach) || !isFar(std::max(lengthSq(a.to - a.from), lengthSq(b.to - b.from)), part))
      continue;
    const EdgeNormals normals(*mesh_[0], edge);
    if (normals.isRidge() && !movesBackwards(edge, normals, part)) moving.push_back({e, box});
  }
}

/// A surface of a solid that moves backwards meets nothing.
bool ImpactSearch::movesBackwards(const MeshEdge& edge, const EdgeNormals& normals,
                                  const StepPart& part) const {
  if (!mesh_[0]->isSolid() || !normals.has_two) return false;
  const SweptVertex &a = scratch_.swept[0][edge.v[0]], &b = scratch_.swept[0][edge.v[1]];
  const Vec3 motion = part.begin[0].rotation.transposed() * (0.5 * (a.to + b.to - a.from - b.from));
  const double slack = 0.5 * length((b.to - b.from) - (a.to - a.from));
  return dot(normals.first, motion) < -slack && dot(normals.second, motion) < -slack;
}

ImpactSearch::MovingEdge ImpactSearch::movingEdge(std::uint32_t edge) const {
  const MeshEdge own = mesh_[0]->edges()[edge];
  const SweptVertex &a = scratch_.swept[0][own.v[0]], &b = scratch_.swept[0][own.v[1]];
  const Way way = wayOf(a);
  return {own, way, {way.from, b.from - (b.to - b.from) * way.lead}, {a.to, b.to}};
}

void ImpactSearch::meetEdgePair(const MovingEdge& own, std::uint32_t edge2, const StepPart& part) {
  const MeshEdge other = mesh_[1]->edges()[edge2];
  const Segment &begin = own.begin, &end = own.end;
  const Segment still = segmentOf(*mesh_[1], other);
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
    if (isAtEnd(*mesh_[0], own.edge, moved, c.s, graze_) || isAtEnd(*mesh_[1], other, still, c.t, graze_))
      continue;
    if (!liesBehind(*mesh_[1], other, -normal)) continue;
    const double time = own.way.timeAt(share, part);
    const Pose pose = motion_[0].at(time), other_pose = motion_[1].at(time);
    const Pose then = relativePose(other_pose, pose);
    if (!liesBehind(*mesh_[0], own.edge, then.rotation.transposed() * normal)) continue;
    return add({0, c.point2, normal, time, pose, other_pose, own.edge.triangle[0], other.triangle[0]},
               scratch_.found);
  }
}

}  // namespace odemesh
