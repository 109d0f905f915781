#include "reduction/within_rim.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "constants.hpp"
#include "contact/projection.hpp"

namespace odemesh {

namespace {

/// So much of what the rim spans is left free on both sides.
constexpr double kFreeSide = 0.25;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
};

[[nodiscard]] Range rangeAlong(const ShadowPoint& axis, std::span<const Projected> points) {
  Range range;
  for (const Projected& p : points) {
    const double along = axis.u * p.u + axis.v * p.v;
    range.low = std::min(range.low, along);
    range.high = std::max(range.high, along);
  }
  return range;
}

/// In which the points are spread most or least.
[[nodiscard]] ShadowPoint mainAxis(std::span<const Projected> points) {
  ShadowPoint middle{0, 0};
  for (const Projected& p : points) middle = {middle.u + p.u, middle.v + p.v};
  middle = {middle.u / double(points.size()), middle.v / double(points.size())};
  double difference = 0, mixed = 0;
  for (const Projected& p : points) {
    const double u = p.u - middle.u, v = p.v - middle.v;
    difference += u * u - v * v;
    mixed += 2 * u * v;
  }
  const double angle = 0.5 * std::atan2(mixed, difference);
  return {std::cos(angle), std::sin(angle)};
}

[[nodiscard]] bool isWithin(const Range& inner, const Range& outer) {
  const double free = kFreeSide * (outer.high - outer.low);
  return inner.low - outer.low >= free && outer.high - inner.high >= free;
}

[[nodiscard]] bool spans(const Range& inner, const Range& outer) {
  return inner.high - inner.low >= kRidgeSpan * (outer.high - outer.low);
}

}  // namespace

std::optional<ShadowPoint> axisWithinRim(std::span<const Vec3> rim, const Vec3& direction, double least_depth,
                                         ContactScratch& scratch) {
  if (rim.empty()) return {};
  const auto [u, v] = tangentsOf(direction);
  const auto seen = [&, u = u, v = v](const Vec3& p) { return Projected{{dot(u, p), dot(v, p)}, 0}; };
  auto &deep = scratch.deep, &around = scratch.rim;
  deep.clear();
  around.clear();
  for (const Candidate& c : scratch.candidates)
    if (c.depth >= least_depth) deep.push_back(seen(c.position));
  for (const Vec3& p : rim) around.push_back(seen(p));
  const auto isInMiddle = [&](const ShadowPoint& axis) {
    return isWithin(rangeAlong(axis, deep), rangeAlong(axis, around));
  };
  const auto reachesAcross = [&](const ShadowPoint& axis) {
    return spans(rangeAlong(axis, deep), rangeAlong(axis, around));
  };
  for (const ShadowPoint& main : {mainAxis(deep), mainAxis(around)}) {
    const ShadowPoint other{-main.v, main.u};
    const bool is_along = isInMiddle(main), is_across = isInMiddle(other);
    if (is_along && (is_across || reachesAcross(other))) return main;
    if (is_across && reachesAcross(main)) return other;
  }
  return {};
}

}  // namespace odemesh
