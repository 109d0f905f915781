// What of two meshes may meet on its way.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "bvh/wide_walk.hpp"
#include "mid_phase/wide_pairs.hpp"
#include "motion/impact_search.hpp"

namespace odemesh {

namespace {

/// Half of what meshes approach each other by in a part of a step, in units of the smaller radius, up to
/// which pairs of triangles are searched for; farther, most are near each other.
constexpr double kMostReach = 0.1;

/// Pairs of triangles that are looked at there.
constexpr std::size_t kMostNear = 512;

/// A triangle on its straight way in the other mesh's frame.
struct SweptTriangle {
  std::uint32_t triangle = Mesh::kNone;
  std::array<std::array<Vec3, 2>, 3> ends;  ///< of the ways of its corners
  Aabb box;
  double way_sq = 0;  ///< of the corner that moves farthest

  SweptTriangle() = default;
  SweptTriangle(const Mesh& mesh, std::uint32_t t, const Pose& begin, const Pose& end) : triangle(t) {
    for (int corner = 0; corner < 3; ++corner) {
      const Vec3& at = mesh.vertex(t, corner);
      auto& [from, to] = ends[corner] = {begin.apply(at), end.apply(at)};
      way_sq = std::max(way_sq, lengthSq(to - from));
      box.grow(from);
      box.grow(to);
    }
  }
};

/// May it meet triangle `t` of the other mesh, or pass it by `slack`?
[[nodiscard]] bool mayMeet(const SweptTriangle& swept, const Mesh& other, std::uint32_t t, double slack) {
  const Vec3 reach{slack, slack, slack};
  if (!Aabb{swept.box.lo - reach, swept.box.hi + reach}.meets(boxOf(other, t))) return false;
  const Vec3 normal = other.normal(t);
  const double level = dot(normal, other.vertex(t, 0));
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  for (const auto& [from, to] : swept.ends) {
    const auto [low, high] = std::minmax({dot(normal, from) - level, dot(normal, to) - level});
    lowest = std::min(lowest, low);
    highest = std::max(highest, high);
  }
  return lowest <= slack && highest >= -slack;
}

}  // namespace

/// What of both meshes may meet: triangles that are no farther from each other halfway than they may approach
/// before it or after it, and whose sweeps meet. False if the meshes move too far for that to be quick, or
/// too many are near.
bool ImpactSearch::gatherPairs(const StepPart& part) {
  const double approach = 0.5 * greatestApproach() * part.duration / dt_;
  // Straight ways are off the true ones by an eighth of their bend.
  const double slack = 0.25 * std::max(bendOf(0, part), bendOf(1, part)) + 4 * hair_;
  if (approach + slack > kMostReach * std::min(mesh_[0]->sphereRadius(), mesh_[1]->sphereRadius()))
    return false;
  for (int side = 0; side < 2; ++side) startGathering(side);
  const double middle = part.begin_time + 0.5 * part.duration;
  std::size_t near = 0;
  SweptTriangle swept;
  searchTrianglePairs(mesh_[0]->wideTree(), mesh_[1]->wideTree(),
                      relativePose(motion_[0].at(middle), motion_[1].at(middle)), approach + slack, false,
                      [&](std::uint32_t first, std::uint32_t second, bool) {
                        if (swept.triangle != first) swept = {*mesh_[0], first, part.begin[0], part.end[0]};
                        if (isFar(swept.way_sq, part) && mayMeet(swept, *mesh_[1], second, slack)) {
                          gatherTriangle(0, first, part);
                          gatherTriangle(1, second, part);
                        }
                        return ++near == kMostNear;
                      });
  // The order in which a search finds pairs is not to matter.
  for (auto& list : scratch_.vertices) std::ranges::sort(list);
  return near < kMostNear;
}

/// What of a mesh may meet the other one on its way: the leaves that sweep over triangles of the other.
void ImpactSearch::gather(int side, const StepPart& part) {
  const double turn = turnWithin(part.duration);
  const Mesh& mesh = *mesh_[side];
  const WideTree& tree = mesh.wideTree();
  startGathering(side);
  const auto mayMeet = [&](const WideBox& in_tree) {
    const Vec3 centre = tree.origin() + in_tree.centre * tree.scale(), half = in_tree.half * tree.scale();
    const double way = length(part.end[side].apply(centre) - part.begin[side].apply(centre));
    const double most = way + turn * length(half);
    if (!isFar(most * most, part)) return false;
    const Aabb swept = sweptBox(centre, half, part.begin[side], part.end[side], 2 * hair_);
    return isNear(*mesh_[1 - side], swept);
  };
  walk(tree, mayMeet, [&](std::uint32_t t) { gatherTriangle(side, t, part); });
}

void ImpactSearch::startGathering(int side) {
  const Mesh& mesh = *mesh_[side];
  scratch_.vertices[side].clear();
  scratch_.edges[side].clear();
  scratch_.has_vertex[side].reset(mesh.vertexCount());
  if (scratch_.swept[side].size() < mesh.vertexCount()) scratch_.swept[side].resize(mesh.vertexCount());
  scratch_.has_edge[side].reset(mesh.edges().size());
}

void ImpactSearch::gatherTriangle(int side, std::uint32_t t, const StepPart& part) {
  const Mesh& mesh = *mesh_[side];
  for (int i = 0; i < 3; ++i) {
    const std::uint32_t v = mesh.corners(t)[i], e = mesh.edgeOf(t, i);
    if (scratch_.has_edge[side].insert(e)) scratch_.edges[side].push_back(e);
    if (!scratch_.has_vertex[side].insert(v)) continue;
    scratch_.vertices[side].push_back(v);
    scratch_.swept[side][v] = sweptIn(part, side, v);
  }
}

}  // namespace odemesh
