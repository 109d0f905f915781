// What of two meshes may meet on its way.
#include <algorithm>
#include <array>
#include <limits>

#include "bvh/wide_walk.hpp"
#include "contact/last_used.hpp"
#include "mid_phase/wide_pairs.hpp"
#include "motion/impact_search.hpp"

namespace odemesh {

namespace {

/// Half of what meshes approach each other by in a part of a step, in units of the smaller radius, up to
/// which pairs of triangles are searched for; farther, most are near each other.
constexpr double kMostReach = 0.1;

/// Pairs of triangles that may meet, up to which they are gathered one by one.
constexpr std::size_t kMostPairs = 1024;

/// A triangle on its straight way in the other mesh's frame.
struct SweptTriangle {
  std::array<std::array<Vec3, 2>, 3> ends;  ///< of the ways of its corners
  Aabb box;                                 ///< around these, and what passes it closely
  double way_sq = 0;                        ///< of the corner that moves farthest

  SweptTriangle() = default;
  SweptTriangle(const Mesh& mesh, std::uint32_t t, const Pose& begin, const Pose& end, double slack) {
    for (int corner = 0; corner < 3; ++corner) {
      const Vec3& at = mesh.vertex(t, corner);
      auto& [from, to] = ends[corner] = {begin.apply(at), end.apply(at)};
      way_sq = std::max(way_sq, lengthSq(to - from));
      box.grow(from);
      box.grow(to);
    }
    box.lo -= {slack, slack, slack};
    box.hi += {slack, slack, slack};
  }
};

/// One of the mesh in whose frame the other one moves.
struct StillTriangle {
  Aabb box;
  Vec3 normal;
  double level = 0;  ///< of its plane along the normal

  StillTriangle() = default;
  StillTriangle(const Mesh& mesh, std::uint32_t t)
      : box(boxOf(mesh, t)), normal(mesh.normal(t)), level(dot(normal, mesh.vertex(t, 0))) {}
};

/// Those of mesh 1 and of mesh 2 that were looked at last.
struct SweepCache {
  LastUsed<SweptTriangle, 64> swept;
  LastUsed<StillTriangle, 64> still;
};

/// That of this thread, empty.
[[nodiscard]] SweepCache& emptyCache() {
  static thread_local SweepCache cache;
  cache.swept.forget();
  cache.still.forget();
  return cache;
}

/// May the one meet the other, or pass it by `slack`?
[[nodiscard]] bool mayMeet(const SweptTriangle& swept, const StillTriangle& still, double slack) {
  if (!swept.box.meets(still.box)) return false;
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  for (const auto& [from, to] : swept.ends) {
    const auto [low, high] =
        std::minmax({dot(still.normal, from) - still.level, dot(still.normal, to) - still.level});
    lowest = std::min(lowest, low);
    highest = std::max(highest, high);
  }
  return lowest <= slack && highest >= -slack;
}

}  // namespace

/// What of both meshes may meet: triangles that are no farther from each other halfway than they may approach
/// before it or after it, and whose sweeps meet. False if the meshes move too far for that to be quick, or
/// too many pairs may meet.
bool ImpactSearch::gatherPairs(const StepPart& part) {
  const Approach half = approach_ * (0.5 * part.duration / dt_);
  // Straight ways are off the true ones by an eighth of their bend.
  const double slack = 0.25 * std::max(bendOf(0, part), bendOf(1, part)) + 4 * hair_;
  if (half.greatest() + slack > kMostReach * smallerRadius()) return false;
  for (int side = 0; side < 2; ++side) startGathering(side);
  SweepCache& cache = emptyCache();
  const auto mayMeet = [&](std::uint32_t first, std::uint32_t second) {
    const SweptTriangle& swept = cache.swept.get(first, [&](std::uint32_t t) {
      return SweptTriangle(*mesh_[0], t, part.begin[0], part.end[0], slack);
    });
    return isFar(swept.way_sq, part) &&
           odemesh::mayMeet(
               swept, cache.still.get(second, [&](std::uint32_t t) { return StillTriangle(*mesh_[1], t); }),
               slack);
  };
  std::size_t pairs = 0;
  auto take = [&](std::uint32_t first, std::uint32_t second, bool) {
    if (!mayMeet(first, second)) return false;
    gatherTriangle(0, first, part);
    gatherTriangle(1, second, part);
    return ++pairs == kMostPairs;
  };
  const double middle_time = part.begin_time + 0.5 * part.duration;
  const Pose middle = motion_[0].at(middle_time);
  searchSweptPairs(mesh_[0]->wideTree(), mesh_[1]->wideTree(),
                   relativePose(middle, motion_[1].at(middle_time)), middle.rotation.transposed() * half.way,
                   half.rest + slack, take);
  // The order in which a search finds pairs is not to matter.
  for (auto& list : scratch_.vertices) std::ranges::sort(list);
  return pairs < kMostPairs;
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
  makeRoomForSwept(side);
  scratch_.has_edge[side].reset(mesh.edges().size());
}

void ImpactSearch::makeRoomForSwept(int side) {
  auto& swept = scratch_.swept[side];
  if (swept.size() < mesh_[side]->vertexCount()) swept.resize(mesh_[side]->vertexCount());
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
