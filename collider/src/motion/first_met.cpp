// What meets first in a step: fast meshes are searched for that, and for what meets soon after it. The
// impulse there changes what they would meet later.
#include <algorithm>
#include <cstddef>

#include "motion/impact_search.hpp"

namespace odemesh {

namespace {

/// Meshes of so many triangles together are fine.
constexpr std::size_t kFine = 8192;

/// What approaches by this much of the smaller radius meets soon after what is met first. A step has no more
/// spans than that; they get so many times longer.
constexpr double kSoon = 0.3, kMostSpans = 32, kLongerSpan = 1.5;

/// Meshes that move past each other by more of the smaller radius, not counting turns, are not searched for
/// what they meet later.
constexpr double kLongWay = 1;

}  // namespace

/// Is it quicker to search spans of the step one after the other than all of it?
bool ImpactSearch::areFine() const {
  return mesh_[0]->triangleCount() + mesh_[1]->triangleCount() >= kFine;
}

/// Finds what meets first and soon after that: in spans of the step, until there is something. The more of
/// them find nothing though the meshes are near, the longer they get. False if nothing is near enough.
bool ImpactSearch::meetInSpans() {
  const std::size_t before = scratch_.found.size();
  double span = std::max(timeToApproachBy(kSoon), dt_ / kMostSpans);
  bool are_near = false;
  for (double from = 0; from < dt_ && scratch_.found.size() == before;) {
    const double to = from + 1.25 * span < dt_ ? from + span : dt_;
    if (meetBetween(from, to)) {
      are_near = true;
      span *= kLongerSpan;
    }
    from = to;
  }
  splitStep(0, dt_);  // for the centres, which are guarded all along
  return are_near;
}

bool ImpactSearch::isLongWay() const {
  return length(approach_.way) > kLongWay * smallerRadius();
}

/// How long the meshes take at least to approach each other by a share of the smaller radius.
double ImpactSearch::timeToApproachBy(double share) const {
  return dt_ * share * smallerRadius() / approach_.greatest();
}

/// The same in one go, for coarse meshes: what meets late is left as soon as something is known to meet
/// early.
bool ImpactSearch::meetFirst() {
  boundFirst();
  return meetBetween(0, std::min(latest_, dt_));
}

/// Looks for something that meets by the foremost vertices alone.
void ImpactSearch::boundFirst() {
  const std::size_t before = scratch_.found.size();
  splitStep(0, dt_);
  for (const StepPart& part : scratch_.parts)
    for (int side = 0; side < 2 && latest_ > dt_; ++side) meetFacesOfTip(side, part);
  scratch_.found.resize(before);
  scratch_.followers.clear();
}

/// On a long way, what meets much later than something else does not count.
void ImpactSearch::noteMeeting(double time) {
  if (isLongWay()) latest_ = std::min(latest_, time + timeToApproachBy(kSoon));
}

/// Of a part, after which nothing in it counts any more.
double ImpactSearch::shareUntilLatest(const StepPart& part) const {
  return std::clamp((latest_ - part.begin_time) / part.duration, 0.0, 1.0);
}

/// Leaves out of this search's impacts, which are those from `before` on, what meets too late.
void ImpactSearch::dropLate(std::size_t before) {
  const auto isLate = [&](const Impact& i) { return i.time > latest_; };
  auto& found = scratch_.found;
  found.erase(std::remove_if(found.begin() + std::ptrdiff_t(before), found.end(), isLate), found.end());
  std::erase_if(scratch_.followers, isLate);
}

}  // namespace odemesh
