#include "reduction/reduce.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <tuple>

#include "constants.hpp"
#include "contact/patch/layer_centre.hpp"
#include "contact/projection.hpp"
#include "reduction/patch_hull.hpp"
#include "reduction/within_rim.hpp"

namespace odemesh {

namespace {

/// A ridge lies across a direction at no greater cosine with it.
constexpr double kAcross = 0.4;

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

/// A rotation that is off one by rounding leaves a normal longer or shorter than 1.
void makeUnit(Vec3& normal) {
  const double length_sq = lengthSq(normal);
  if (std::abs(length_sq - 1) > 1e-9) normal = normal / std::sqrt(length_sq);
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

/// Appends a corner as a caller is given it. Corners of a patch that are apart, within the slack, shape its
/// hull; only a caller with a margin hears of them.
void report(const Candidate& corner, const Tolerances& tolerances, std::vector<Candidate>& out) {
  const double depth = tolerances.reported(corner.depth);
  if (depth <= 0 && tolerances.margin <= 0) return;
  Candidate& c = out.emplace_back(corner);
  c.depth = depth;
  makeUnit(c.normal);
}

void projectCandidates(const Vec3& direction, std::span<const Candidate> candidates, Points points) {
  const auto [u, v] = tangentsOf(direction);
  for (std::uint32_t i = 0; i < candidates.size(); ++i)
    points[i] = {{dot(u, candidates[i].position), dot(v, candidates[i].position)}, i};
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

[[nodiscard]] double distanceSq(const ShadowPoint& p, const ShadowPoint& q) {
  const double du = p.u - q.u, dv = p.v - q.v;
  return du * du + dv * dv;
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
    if (turn(hull[i], hull[i + 1 == hull.size() ? 0 : i + 1], point) < 0) return true;
  return false;
}

/// Puts a point in front of a hull, behind which there is room for one.
[[nodiscard]] Points withFirst(const Projected& point, Points hull) {
  std::copy_backward(hull.begin(), hull.end(), hull.end() + 1);
  hull.front() = point;
  return {hull.data(), hull.size() + 1};
}

/// The point that lies farthest from `from`; of equals the first.
[[nodiscard]] const Projected& farthestFrom(const ShadowPoint& from, Points points) {
  return *std::ranges::max_element(points, {}, [&](const Projected& p) { return distanceSq(from, p); });
}

/// Along the way from one end of a ridge to the other, the deepest of the points near this end; of those that
/// are as deep but for rounding the outermost.
[[nodiscard]] const Projected& ridgeEnd(std::span<const Candidate> candidates, double touching, Points deep,
                                        const Projected& end, const Projected& other) {
  const double reach = kRidgeEnd * distanceSq(end, other);
  const auto off = [&](const Projected& p) {
    return (end.u - p.u) * (end.u - other.u) + (end.v - p.v) * (end.v - other.v);
  };
  const auto isBetter = [&](const Projected& p, const Projected& best) {
    const double lead = candidates[p.candidate].depth - candidates[best.candidate].depth;
    return lead > touching || (lead >= -touching && off(p) < off(best));
  };
  const Projected* best = &end;
  for (const Projected& p : deep)
    if (off(p) <= reach && isBetter(p, *best)) best = &p;
  return *best;
}

/// Puts into `scratch.ridge` the ends of what is as deep as the `deepest`, if that reaches from one side of
/// the hull to the other as along a cylinder that lies, the deeper one first. Nothing for the tip of a ball
/// or of a wheel's crown, of which so much is less than half as wide as the hull, nor for a barrel, nor where
/// it does not lie across the unit vector `across`, if that is given.
void findRidge(const Projected& deepest, const Vec3& direction, const Tolerances& tolerances, Points hull,
               const std::optional<ShadowPoint>& across, ContactScratch& scratch) {
  const std::span<const Candidate> candidates = scratch.candidates;
  const auto depthAt = [&](const Projected& p) { return candidates[p.candidate].depth; };
  const auto [u, v] = tangentsOf(direction);
  auto& deep = scratch.deep;
  deep.clear();
  for (std::uint32_t i = 0; i < candidates.size(); ++i)
    if (const Candidate& c = candidates[i]; c.depth >= kTipShare * depthAt(deepest))
      deep.push_back({{dot(u, c.position), dot(v, c.position)}, i});
  const Projected &one = farthestFrom(deepest, deep), &other = farthestFrom(one, deep);
  const Projected& rim = farthestFrom(one, hull);
  const double span_sq = distanceSq(one, other);
  if (span_sq == 0 || span_sq < kRidgeSpan * kRidgeSpan * distanceSq(rim, farthestFrom(rim, hull))) return;
  if (across) {
    const double along = (other.u - one.u) * across->u + (other.v - one.v) * across->v;
    if (along * along > kAcross * kAcross * span_sq) return;
  }
  const Projected& end = ridgeEnd(candidates, tolerances.touching, deep, one, other);
  const Projected& far_end = ridgeEnd(candidates, tolerances.touching, deep, other, one);
  const bool is_second_deeper = depthAt(end) < depthAt(far_end);
  if (std::max(depthAt(end), depthAt(far_end)) < kRidgeLevel * depthAt(deepest)) return;
  report(candidates[(is_second_deeper ? far_end : end).candidate], tolerances, scratch.ridge);
  report(candidates[(is_second_deeper ? end : far_end).candidate], tolerances, scratch.ridge);
}

/// The next corner of a hull.
template <typename Corner>
[[nodiscard]] std::size_t nextOf(std::span<Corner> hull, std::size_t i) {
  return i + 1 == hull.size() ? 0 : i + 1;
}

/// Does a corner, which is none of these, lie midway on the side next to it?
[[nodiscard]] bool isMidway(const ShadowPoint& corner, Points corners) {
  double nearest = std::numeric_limits<double>::infinity(), place = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const ShadowPoint &a = corners[i], &b = corners[nextOf(corners, i)];
    const double along = shareAlong(a, b, corner);
    const double off = distanceSq(corner, between(a, b, std::clamp(along, 0.0, 1.0)));
    if (off >= nearest) continue;
    nearest = off;
    place = along;
  }
  return std::min(place, 1 - place) > kMidway;
}

/// Are all corners less deep than the deepest point by far? One midway on a side, from which it hardly sticks
/// out, does not count: the lowest points of a tyre lie in a line along which it rolls, and as it leans a
/// little, some become corners.
[[nodiscard]] bool isTip(double greatest, Points hull, ContactScratch& scratch) {
  const auto isDeep = [&](const Projected& p) {
    return scratch.candidates[p.candidate].depth >= kTipShare * greatest;
  };
  if (std::ranges::none_of(hull, isDeep)) return true;
  const Points blunt = bluntCorners(hull, kBluntCorner, scratch.hull);
  return std::ranges::none_of(blunt, isDeep) &&
         std::ranges::all_of(hull, [&](const Projected& p) { return !isDeep(p) || isMidway(p, blunt); });
}

/// Puts into `scratch.tip` the deepest point and the corners of the hull around it.
void outlineTip(const Projected& deepest, Points hull, ContactScratch& scratch) {
  const auto layerAt = [&](const Projected& p) {
    return LayerPoint{p, scratch.candidates[p.candidate].depth};
  };
  scratch.tip.assign(1, layerAt(deepest));
  std::ranges::transform(hull, std::back_inserter(scratch.tip), layerAt);
}

/// Is the patch, whose deepest point this is, that of a rounded tip?
void noteTip(const Projected& deepest, const Vec3& direction, const Tolerances& tolerances, Points hull,
             std::span<const Vec3> rim, ContactScratch& scratch) {
  const double depth = scratch.candidates[deepest.candidate].depth;
  if (depth <= kTipDepth * tolerances.size) return;
  std::optional<ShadowPoint> across;
  scratch.is_tip = isTip(depth, hull, scratch);
  if (!scratch.is_tip) {
    across = axisWithinRim(rim, direction, kTipShare * depth, scratch);
    scratch.is_tip = across.has_value();
  }
  if (!scratch.is_tip) return;
  outlineTip(deepest, hull, scratch);
  findRidge(deepest, direction, tolerances, hull, across, scratch);
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
  const double shallowest =
      kShallowShare * std::max(greatest, 0.0) - std::max(tolerances.slack, kUncorrected * tolerances.size);
  std::erase_if(candidates, [&](const Candidate& c) { return c.depth < shallowest; });
  const Points points = roomFor(candidates.size() + 1, scratch.projected).first(candidates.size());
  projectCandidates(direction, candidates, points);
  auto corners = points.size() == 4 ? cornersOfFour(points, tolerances.touching) : std::nullopt;
  const Projected deepest = corners ? Projected{} : deepestPoint(candidates, points);
  if (!corners)
    corners =
        cornersOf(sortPoints(candidates, tolerances.touching, dropInnerPoints(tolerances.touching, points)),
                  tolerances.touching, scratch.hull);
  Points hull = corners->hull;
  replaceApart(direction, corners->least, tolerances.touching, candidates, hull);

  const auto depthAt = [&](const Projected& p) { return candidates[p.candidate].depth; };
  auto front = std::ranges::max_element(hull, {}, depthAt);
  // Where a corner is as deep as any point but for rounding, it stands for the deepest, and so does, of a
  // disc, the next to one that was left out: what rests on many would rock if one more came and went.
  bool is_corner = depthAt(*front) >= greatest - tolerances.touching;
  if (!is_corner && depthAt(*front) >= kAsDeep * greatest && isLeftOutOfDisc(deepest, hull)) {
    candidates[front->candidate].depth = greatest;
    is_corner = true;
  }
  noteTip(is_corner ? *front : deepest, direction, tolerances, hull, rim, scratch);
  if (!is_corner) {
    hull = withFirst(deepest, hull);
    front = hull.begin();
  }
  std::vector<Candidate>& kept = scratch.kept;
  kept.clear();
  takeBySpan(hull, std::size_t(front - hull.begin()),
             [&](const Projected& p) { report(candidates[p.candidate], tolerances, kept); });
  candidates.swap(kept);
  return !candidates.empty();
}

bool isHollowTip(const Vec3& direction, const ContactScratch& scratch) {
  const Projection onto = Projection::along(direction);
  return std::ranges::any_of(scratch.kept, [&](const Candidate& c) {
    return isHollowAt({onto.of(c.position), c.depth}, scratch);
  });
}

bool isHollowAt(const LayerPoint& point, const ContactScratch& scratch) {
  const LayerPoint& deepest = scratch.tip.front();
  const auto corners = std::span(scratch.tip).subspan(1);
  const auto turnFrom = [&](const LayerPoint& corner) { return turn(deepest.at, corner.at, point.at); };
  double past = turnFrom(corners.front());
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const LayerPoint &a = corners[i], &b = corners[nextOf(corners, i)];
    const double of_b = past;
    past = turnFrom(b);
    const double of_a = -past, area = turn(deepest.at, a.at, b.at);
    if (of_a < 0 || of_b < 0 || area <= 0 || of_a + of_b > area) continue;
    const double less =
        (of_a * (deepest.thickness - a.thickness) + of_b * (deepest.thickness - b.thickness)) / area;
    return point.thickness < (1 - kTipHollow) * deepest.thickness - less;
  }
  return false;
}

void keepDeepestOver(const Vec3& middle, const Vec3& direction, ContactScratch& scratch) {
  auto& candidates = scratch.candidates;
  const bool is_ridge = !scratch.ridge.empty();
  if (is_ridge)
    candidates.swap(scratch.ridge);
  else
    candidates.resize(1);
  const auto flat = [&](const Vec3& v) { return v - direction * dot(direction, v); };
  const Vec3 along = flat(candidates.back().position - candidates.front().position);
  Vec3 across = flat(middle - candidates.front().position);
  if (is_ridge) across -= along * (dot(along, across) / lengthSq(along));
  for (Candidate& c : candidates) c.position += across;
}

}  // namespace odemesh
