#include "reduction/reduce.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <tuple>

#include "constants.hpp"
#include "contact/patch/layer_centre.hpp"
#include "contact/projection.hpp"
#include "reduction/patch_hull.hpp"
#include "reduction/reported.hpp"
#include "reduction/rolling.hpp"
#include "reduction/rounded_tip.hpp"

namespace odemesh {

namespace {

/// Corners that are apart leave their place to the deepest candidate within `least` of them. Where a face
/// that rests meets a steep one, candidates of both lie a hair beside each other, and the one of the steep
/// face may be apart while the other touches.
void replaceApart(const Vec3& direction, double least, double touching, std::span<const Candidate> candidates,
                  Points hull) {
  for (Projected& p : hull) {
    if (candidates[p.candidate].depth > -touching) continue;
    const Vec3 corner = candidates[p.candidate].position;
    for (std::uint32_t i = 0; i < candidates.size(); ++i) {
      if (candidates[i].depth <= candidates[p.candidate].depth) continue;
      const Vec3 off = candidates[i].position - corner;
      const double up = dot(off, direction);
      if (lengthSq(off) - up * up <= least * least) p.candidate = i;
    }
  }
}

/// Numbers overflow where meshes are larger than what a double can cube.
[[nodiscard]] bool isSound(const Candidate& c) {
  const Vec3& p = c.position;
  // 0 times what is no number is none.
  return 0 * p.x + 0 * p.y + 0 * p.z + 0 * c.depth + std::abs(lengthSq(c.normal) - 1) < 1e-4;
}

/// What is no number can't be compared with others, and goes.
void dropUnsound(ContactScratch& scratch) {
  if (std::ranges::all_of(scratch.candidates, isSound)) return;
  scratch.unsound_contacts +=
      std::erase_if(scratch.candidates, [](const Candidate& c) { return !isSound(c); });
}

[[nodiscard]] double greatestDepth(const std::vector<Candidate>& candidates) {
  double greatest = -std::numeric_limits<double>::infinity();
  for (const Candidate& c : candidates) greatest = std::max(greatest, c.depth);
  return greatest;
}

void projectCandidates(const Vec3& direction, std::span<const Candidate> candidates, Points points) {
  const Projection onto = Projection::along(direction);
  for (std::uint32_t i = 0; i < candidates.size(); ++i) points[i] = {onto.of(candidates[i].position), i};
}

/// The deepest of all points; of equals one that does not hang on their order.
[[nodiscard]] Projected deepestPoint(std::span<const Candidate> candidates, Points points) {
  const auto isBefore = [&](const Projected& a, const Projected& b) {
    const Candidate& x = candidates[a.candidate];
    const Candidate& y = candidates[b.candidate];
    if (x.depth != y.depth) return x.depth > y.depth;
    return std::tie(a.u, a.v, x.face[0], x.face[1]) < std::tie(b.u, b.v, y.face[0], y.face[1]);
  };
  return *std::min_element(points.begin(), points.end(), isBefore);
}

/// By place, and each place, as wide as `same`, once, with the deepest that is there. Faces that share a
/// corner tell of it each on its own: rounding does not choose which of them speaks.
[[nodiscard]] Points sortPoints(std::span<const Candidate> candidates, double same, Points points) {
  std::sort(points.begin(), points.end(),
            [](const Projected& a, const Projected& b) { return std::tie(a.u, a.v) < std::tie(b.u, b.v); });
  const auto isDeeper = [&](const Projected& a, const Projected& b) {
    const Candidate& x = candidates[a.candidate];
    const Candidate& y = candidates[b.candidate];
    if (std::abs(x.depth - y.depth) > same) return x.depth > y.depth;
    return std::tie(x.face[0], x.face[1]) < std::tie(y.face[0], y.face[1]);
  };
  std::size_t count = 0;
  for (const Projected& p : points) {
    std::size_t i = count;
    while (i > 0 && p.u - points[i - 1].u <= same && std::abs(p.v - points[i - 1].v) > same) --i;
    const bool is_new = i == 0 || p.u - points[i - 1].u > same;
    if (is_new)
      points[count++] = p;
    else if (isDeeper(p, points[i - 1]))
      points[i - 1].candidate = p.candidate;
  }
  return points.first(count);
}

/// The centre of the area of a hull, however unevenly its corners are spread.
[[nodiscard]] std::optional<ShadowPoint> middleOf(Points hull) {
  const ShadowPoint& first = hull.front();
  LayerCentre layer(first, {first.u + 1, first.v});
  for (std::size_t i = 2; i < hull.size(); ++i) layer.add({first, 1}, {hull[i - 1], 1}, {hull[i], 1});
  return layer.centre();
}

/// Do the corners of a hull lie about as far from its middle as each other?
[[nodiscard]] bool isRound(Points hull) {
  constexpr double kRound = 0.8;
  const std::optional<ShadowPoint> middle = middleOf(hull);
  if (!middle) return false;
  double nearest_sq = std::numeric_limits<double>::infinity(), farthest_sq = 0;
  for (const Projected& p : hull) {
    const double off_sq = distanceSq(p, *middle);
    nearest_sq = std::min(nearest_sq, off_sq);
    farthest_sq = std::max(farthest_sq, off_sq);
  }
  return nearest_sq >= kRound * kRound * farthest_sq;
}

/// Is a point a corner of a disc that was left out of its hull?
[[nodiscard]] bool isLeftOutOfDisc(const ShadowPoint& point, Points hull) {
  if (hull.size() < kPatchCorners || !isRound(hull)) return false;
  for (std::size_t i = 0; i < hull.size(); ++i)
    if (turn(hull[i], hull[nextOf(hull, i)], point) < 0) return true;
  return false;
}

/// Puts a point in front of a hull, behind which there is room for one.
[[nodiscard]] Points withFirst(const Projected& point, Points hull) {
  std::copy_backward(hull.begin(), hull.end(), hull.end() + 1);
  hull.front() = point;
  return {hull.data(), hull.size() + 1};
}

/// What is less deep than the `greatest` depth by far says nothing of where the patch carries.
void dropShallow(double greatest, const Tolerances& tolerances, std::vector<Candidate>& candidates) {
  const double shallowest = kShallowShare * std::max(greatest, 0.0) - tolerances.opening;
  std::erase_if(candidates, [&](const Candidate& c) { return c.depth < shallowest; });
}

struct PatchOutline {
  Points hull;        ///< the corners across the direction, with room for one more behind them
  Projected deepest;  ///< of all points; any where each is a corner
};

[[nodiscard]] PatchOutline outlineOf(const Vec3& direction, const Tolerances& tolerances,
                                     ContactScratch& scratch) {
  const std::span<const Candidate> candidates = scratch.candidates;
  const Points points = roomFor(candidates.size() + 1, scratch.projected).first(candidates.size());
  projectCandidates(direction, candidates, points);
  auto corners = points.size() == 4 ? cornersOfFour(points, tolerances.touching) : std::nullopt;
  const Projected deepest = corners ? points.front() : deepestPoint(candidates, points);
  if (!corners)
    corners =
        cornersOf(sortPoints(candidates, tolerances.touching, dropInnerPoints(tolerances.touching, points)),
                  tolerances.touching, scratch.hull);
  replaceApart(direction, corners->least, tolerances.touching, candidates, corners->hull);
  return {corners->hull, deepest};
}

/// Where the deepest `corner` is as deep as any point but for rounding, it stands for the deepest, and so
/// does, of a disc, the next to one that was left out, which becomes as deep: what rests on many would rock
/// if one more came and went.
[[nodiscard]] bool standsForDeepest(Candidate& corner, double greatest, const Tolerances& tolerances,
                                    const Projected& deepest, Points hull) {
  if (corner.depth >= greatest - tolerances.touching) return true;
  if (corner.depth < kAsDeep * greatest || !isLeftOutOfDisc(deepest, hull)) return false;
  corner.depth = greatest;
  return true;
}

/// The corner that lies farthest from the `first`; of equals the first behind it.
[[nodiscard]] std::size_t farthestCorner(Points hull, std::size_t first) {
  double greatest = -1;
  std::size_t farthest = first;
  for (std::size_t i = nextOf(hull, first); i != first; i = nextOf(hull, i)) {
    const double square = distanceSq(hull[i], hull[first]);
    if (square <= greatest) continue;
    greatest = square;
    farthest = i;
  }
  return farthest;
}

/// A bit for each corner that is kept: those of the hull, and the deepest point.
using CornerSet = std::uint32_t;
static_assert(kPatchCorners + 1 < 32);

[[nodiscard]] bool contains(CornerSet corners, std::size_t i) {
  return (corners >> i & 1) != 0;
}

/// The corner that adds most to the area spanned by those that are `taken`, the `first` among them; of equals
/// the first behind that.
[[nodiscard]] std::size_t widestCorner(Points hull, std::size_t first, CornerSet taken) {
  double greatest = -1;
  std::size_t widest = first, before = first;
  for (std::size_t i = nextOf(hull, first); i != first; i = nextOf(hull, i)) {
    if (contains(taken, i)) {
      before = i;
      continue;
    }
    std::size_t after = nextOf(hull, i);
    while (!contains(taken, after)) after = nextOf(hull, after);
    const double gain = std::abs(turn(hull[before], hull[i], hull[after]));
    if (gain <= greatest) continue;
    greatest = gain;
    widest = i;
  }
  return widest;
}

/// Calls `take(corner)` for the first, then for the others in an order in which each adds most to what those
/// before it span: a caller that takes only some of them, the first, gets those that carry the patch.
template <typename Take>
void takeBySpan(Points hull, std::size_t first, Take&& take) {
  CornerSet taken = 0;
  const auto takeCorner = [&](std::size_t i) {
    taken |= CornerSet(1) << i;
    take(hull[i]);
  };
  takeCorner(first);
  if (hull.size() > 1) takeCorner(farthestCorner(hull, first));
  for (std::size_t left = hull.size(); left > 3; --left) takeCorner(widestCorner(hull, first, taken));
  if (hull.size() > 2) takeCorner(std::size_t(std::countr_one(taken)));
}

/// Appends to `scratch.kept` the corners that are not there already.
void keepCorners(Points hull, std::size_t first, const Tolerances& tolerances, ContactScratch& scratch) {
  std::vector<Candidate>& kept = scratch.kept;
  const auto ends = std::ptrdiff_t(kept.size());
  const auto isKept = [&](const Candidate& corner) {
    return std::any_of(kept.begin(), kept.begin() + ends,
                       [&](const Candidate& end) { return end.position == corner.position; });
  };
  takeBySpan(hull, first, [&](const Projected& p) {
    const Candidate& corner = scratch.candidates[p.candidate];
    if (!isKept(corner)) report(corner, tolerances, kept);
  });
}

}  // namespace

bool reducePatch(const Vec3& direction, const Tolerances& tolerances, ContactScratch& scratch,
                 std::span<const Vec3> rim) {
  auto& candidates = scratch.candidates;
  scratch.is_tip = false;
  scratch.ridge.clear();
  dropUnsound(scratch);
  const double greatest = greatestDepth(candidates);
  if (greatest <= -(tolerances.touching + tolerances.margin)) {
    candidates.clear();
    return false;
  }
  dropShallow(greatest, tolerances, candidates);
  auto [hull, deepest] = outlineOf(direction, tolerances, scratch);
  const auto depthAt = [&](const Projected& p) { return candidates[p.candidate].depth; };
  auto front = std::ranges::max_element(hull, {}, depthAt);
  const bool is_corner = standsForDeepest(candidates[front->candidate], greatest, tolerances, deepest, hull);
  const Projected top = is_corner ? *front : deepest;
  noteTip(top, direction, tolerances, hull, rim, scratch);
  if (!scratch.is_tip && scratch.rolls && dropFacetsAbove(tolerances, candidates))
    return reducePatch(direction, tolerances, scratch, rim);
  scratch.kept.clear();
  if (!scratch.is_tip) {
    findRidgeAtRest(top, direction, tolerances, hull, scratch);
    scratch.kept.swap(scratch.ridge);
  }
  if (!is_corner && scratch.kept.empty()) {
    hull = withFirst(deepest, hull);
    front = hull.begin();
  }
  keepCorners(hull, std::size_t(front - hull.begin()), tolerances, scratch);
  candidates.swap(scratch.kept);
  return !candidates.empty();
}

}  // namespace odemesh
