// The queries of odemesh/motion.hpp for two meshes.
#include <algorithm>
#include <cstddef>
#include <odemesh/motion.hpp>
#include <span>
#include <vector>

#include "constants.hpp"
#include "motion/impact_choice.hpp"
#include "motion/impact_search.hpp"
#include "motion/impacts_behind.hpp"
#include "motion/sweep.hpp"

namespace odemesh {

namespace {

/// How far apart bounds have to stay, in units of the smaller radius, for there to be no impact: far more
/// than a search takes for nothing.
constexpr double kBoundsSlack = 1e-5;

/// Do the bounds meet on the way?
[[nodiscard]] bool mayMeet(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2, const Motion& motion2,
                           double dt) {
  const Vec3 apart = motion1.pose.apply(mesh1.sphereCentre()) - motion2.pose.apply(mesh2.sphereCentre());
  const double reach = mesh1.sphereRadius() + mesh2.sphereRadius() + greatestMotion(mesh1, motion1, dt) +
                       greatestMotion(mesh2, motion2, dt);
  if (!(length(apart) <= reach)) return false;  // so for what overflows
  const double slack = kBoundsSlack * std::min(mesh1.sphereRadius(), mesh2.sphereRadius()) +
                       kBoxSlack * (length(motion1.pose.translation) + length(motion2.pose.translation));
  return !areParted({mesh1, motion1, dt}, {mesh2, motion2, dt}, slack);
}

/// Appends the impacts of motions that count to `found` of the scratch: of approach by more than
/// `least_share`. False if the meshes do not come near each other.
bool search(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2, const Motion& motion2, double dt,
            double least_share, Front front = {}) {
  return mayMeet(mesh1, motion1, mesh2, motion2, dt) &&
         ImpactSearch(mesh1, motion1, mesh2, motion2, dt, least_share, front).run();
}

[[nodiscard]] Motion stopped(Motion motion) {
  motion.velocity = motion.spin = motion.gain = {};
  return motion;
}

/// Do the motions use up the gap?
[[nodiscard]] bool comesAbout(const Impact& impact, const Motion& motion1, const Motion& motion2, double dt) {
  return approachAlong(motion1, motion2, impact.position, impact.normal) * dt > impact.gap;
}

/// As `search`, of what `ImpactSearch::runOnOverlaps` adds.
void searchOverlaps(Front front, const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2,
                    const Motion& motion2, double dt) {
  ImpactSearch(mesh1, motion1, mesh2, motion2, dt, kSlowApproach, front).runOnOverlaps();
  std::erase_if(motionScratch().found, [&](const Impact& i) { return !comesAbout(i, motion1, motion2, dt); });
}

/// Those of the scratch's list that are chosen of what `search` appends to it.
template <typename Search>
[[nodiscard]] std::size_t chosenOf(const Mesh& mesh1, const Mesh& mesh2, std::span<Impact> out,
                                   const Search& search) {
  std::vector<Impact>& found = motionScratch().found;
  found.clear();
  search(found);
  return chooseImpacts(found, std::min(mesh1.sphereRadius(), mesh2.sphereRadius()), out);
}

/// Are the values sound, and is there a place for impacts?
[[nodiscard]] bool areSearchable(const Motion& motion1, const Motion& motion2, double dt,
                                 std::span<Impact> out) {
  return isUsable(motion1) && isUsable(motion2) && isUsable(dt) && !out.empty();
}

/// Is one of the meshes fast, too?
[[nodiscard]] bool areToBeSearched(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2,
                                   const Motion& motion2, double dt, std::span<Impact> out) {
  return areSearchable(motion1, motion2, dt, out) && isEitherFast(mesh1, motion1, mesh2, motion2, dt);
}

}  // namespace

std::size_t findImpacts(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2, const Motion& motion2,
                        double dt, std::span<Impact> out) {
  if (!areToBeSearched(mesh1, motion1, mesh2, motion2, dt, out)) return 0;
  return findImpactsBehind({}, mesh1, motion1, mesh2, motion2, dt, out);
}

std::size_t findImpactsBehind(Front front, const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2,
                              const Motion& motion2, double dt, std::span<Impact> out) {
  if (!areSearchable(motion1, motion2, dt, out)) return 0;
  return chosenOf(mesh1, mesh2, out, [&](const std::vector<Impact>&) {
    search(mesh1, motion1, mesh2, motion2, dt, kSlowApproach, front);
  });
}

std::size_t findImpactsOrOverlaps(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2,
                                  const Motion& motion2, double dt, std::span<Impact> out) {
  if (!areToBeSearched(mesh1, motion1, mesh2, motion2, dt, out)) return 0;
  return chosenOf(mesh1, mesh2, out, [&](const std::vector<Impact>& found) {
    if (search(mesh1, motion1, mesh2, motion2, dt, kSlowApproach) && found.empty())
      searchOverlaps({}, mesh1, motion1, mesh2, motion2, dt);
  });
}

std::size_t findOverlapsBehind(Front front, const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2,
                               const Motion& motion2, double dt, std::span<Impact> out) {
  if (!areToBeSearched(mesh1, motion1, mesh2, motion2, dt, out)) return 0;
  return chosenOf(mesh1, mesh2, out, [&](const std::vector<Impact>&) {
    if (mayMeet(mesh1, motion1, mesh2, motion2, dt))
      searchOverlaps(front, mesh1, motion1, mesh2, motion2, dt);
  });
}

std::size_t findImpactsIfStopped(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2,
                                 const Motion& motion2, double dt, std::span<Impact> out) {
  if (!isUsable(motion1) || !isUsable(motion2) || !isUsable(dt) || out.empty()) return 0;
  if (!isBrisk(mesh1, motion1, dt) || !isBrisk(mesh2, motion2, dt)) return 0;
  return chosenOf(mesh1, mesh2, out, [&](std::vector<Impact>& found) {
    search(mesh1, stopped(motion1), mesh2, motion2, dt, kBriskShare);
    search(mesh1, motion1, mesh2, stopped(motion2), dt, kBriskShare);
    std::erase_if(found, [&](const Impact& i) { return comesAbout(i, motion1, motion2, dt); });
  });
}

}  // namespace odemesh
