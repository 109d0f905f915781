#include "reduction/rounded_tip.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>

#include "constants.hpp"
#include "contact/projection.hpp"
#include "reduction/reported.hpp"
#include "reduction/within_rim.hpp"

namespace odemesh {

namespace {

/// What rests overlaps by less than this, in units of the smaller mesh's radius, and keeps its corners.
constexpr double kTipDepth = 2 * kUncorrected;

/// A patch whose corners are all less deep than this share of its depth is a rounded tip: it carries in one
/// point, the middle of what it overlaps. Corners around that say nothing more, and an iterative solver that
/// takes one after the other makes spin of them; those ahead of a wheel kick it up.
constexpr double kTipShare = 0.8;

/// A deep corner does not speak against a tip if it sticks out from the line between its neighbours by less
/// than the first share of the patch's size, and is farther from both of them than the second share of the
/// distance between them.
constexpr double kBluntCorner = 0.02, kMidway = 0.15;

/// A patch is hollow, and no tip, where it is less thick than its deepest point and its corners tell by this
/// share of its depth.
constexpr double kTipHollow = 0.1;

/// An end of a ridge reaches by the first share of its length inwards, and one of the ends is as deep as the
/// deepest point but for what is left by the second share: a barrel stands on its belly.
constexpr double kRidgeEnd = 0.1, kRidgeLevel = 0.95;

/// A ridge lies across a direction at no greater cosine with it.
constexpr double kAcross = 0.4;

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
  const Projection onto = Projection::along(direction);
  auto& deep = scratch.deep;
  deep.clear();
  for (std::uint32_t i = 0; i < candidates.size(); ++i)
    if (const Candidate& c = candidates[i]; c.depth >= kTipShare * depthAt(deepest))
      deep.push_back({onto.of(c.position), i});
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

}  // namespace

double leastTipDepth(const Tolerances& tolerances, const ContactScratch& scratch) {
  return scratch.rolls ? tolerances.touching : kTipDepth * tolerances.size;
}

void noteTip(const Projected& deepest, const Vec3& direction, const Tolerances& tolerances, Points hull,
             std::span<const Vec3> rim, ContactScratch& scratch) {
  const double depth = scratch.candidates[deepest.candidate].depth;
  if (depth <= leastTipDepth(tolerances, scratch)) return;
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

void findRidgeAtRest(const Projected& deepest, const Vec3& direction, const Tolerances& tolerances,
                     Points hull, ContactScratch& scratch) {
  const double depth = scratch.candidates[deepest.candidate].depth;
  if (depth <= 0 || depth > kTipDepth * tolerances.size) return;
  const auto isDeep = [&](const Projected& p) {
    return scratch.candidates[p.candidate].depth >= kTipShare * depth;
  };
  const auto deep = std::ranges::count_if(hull, isDeep);
  // As a rule, what rests does so on its corners.
  if (deep == std::ssize(hull) || (deep > 0 && hull.size() <= 4)) return;
  if (isTip(depth, hull, scratch)) findRidge(deepest, direction, tolerances, hull, std::nullopt, scratch);
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
