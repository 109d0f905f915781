#include "reduction/rolling.hpp"

#include <algorithm>
#include <limits>

namespace odemesh {

namespace {

/// A body rolls if holding its radius to its spin takes this share of gravity. The errors of an iterative
/// solver rock what rests by less than a thousandth. Where the world has no gravity, a program may have
/// forces of its own in place of it, and what rests is not told from what rolls.
constexpr double kRolling = 0.01;

/// What rolls gets on by no less than this share of the speed that its spin has at its radius.
constexpr double kOnwards = 0.1;

/// A face that rests on another rocks by less than this angle: corners that are apart by more than
/// `Tolerances::opening` are none of its patch.
constexpr double kRocking = 1e-3;

}  // namespace

bool isRolling(const RelativeMotion* motion, double margin, const Vec3& centre, double radius) {
  if (motion == nullptr || margin > 0) return false;
  const double spin_sq = lengthSq(motion->spin);
  return motion->gravity > 0 && spin_sq * radius > kRolling * motion->gravity &&
         lengthSq(motion->at(centre)) > kOnwards * kOnwards * spin_sq * radius * radius;
}

bool dropFacetsAbove(const Tolerances& tolerances, std::vector<Candidate>& candidates) {
  constexpr double kDropped = -std::numeric_limits<double>::infinity();
  const double touching = tolerances.touching;
  const auto risesToIt = [&](const Candidate& c) {
    const double reach = (-c.depth - touching) / kRocking;
    return std::ranges::any_of(candidates, [&](const Candidate& from) {
      return from.depth > -touching && lengthSq(c.position - from.position) < reach * reach;
    });
  };
  for (Candidate& c : candidates)
    if (c.depth < -touching && risesToIt(c)) c.depth = kDropped;
  return std::erase_if(candidates, [](const Candidate& c) { return c.depth == kDropped; }) > 0;
}

}  // namespace odemesh
