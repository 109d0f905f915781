#include "motion/impact_choice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <tuple>

#include "constants.hpp"
#include "motion/impact_search.hpp"
#include "motion/stand_around.hpp"

namespace odemesh {

namespace {

/// Impacts are the same if they are closer than this, normals and places taken together, in units of the
/// smaller radius.
constexpr double kSameImpact = 1e-6;

void sortByTime(std::vector<Impact>& impacts) {
  std::ranges::sort(impacts, {}, [](const Impact& i) {
    return std::tuple(i.time, i.triangle1, i.triangle2, i.position.x, i.position.y, i.position.z);
  });
}

/// Notes how far impacts are from one that is kept, normals in units of `size`.
void separate(std::span<const Impact> impacts, const Impact& kept, double size,
              std::span<ImpactApart> apart) {
  for (std::size_t i = 0; i < impacts.size(); ++i) {
    const Vec3 to = impacts[i].position - kept.position;
    const double along = dot(to, kept.normal);
    const double whole_sq = lengthSq(to) + size * size * lengthSq(impacts[i].normal - kept.normal);
    apart[i].whole_sq = std::min(apart[i].whole_sq, whole_sq);
    apart[i].across_sq = std::min(apart[i].across_sq, whole_sq - along * along);
  }
}

/// Leaves up to `most` impacts, none twice: the first `settled` ones, then always the one that is farthest
/// from those before it across their normals, less what it has to go farther than the first. The upper
/// corners of a box that lands on the lower ones come last.
void spread(std::vector<Impact>& impacts, std::size_t settled, std::size_t most, double size) {
  std::vector<ImpactApart>& apart = motionScratch().apart;
  apart.assign(impacts.size(), {});
  const double first_gap = impacts[0].gap;
  const auto worth = [&](std::size_t i) {
    if (apart[i].whole_sq < kSameImpact * kSameImpact * size * size)
      return -std::numeric_limits<double>::infinity();
    return std::sqrt(std::max(0.0, apart[i].across_sq)) - (impacts[i].gap - first_gap);
  };
  for (std::size_t done = 1; done < std::min(impacts.size(), most); ++done) {
    separate(std::span(impacts).subspan(done), impacts[done - 1], size, std::span(apart).subspan(done));
    if (done < settled) continue;
    std::size_t best = done;
    double greatest = worth(done);
    for (std::size_t i = done + 1; i < impacts.size(); ++i)
      if (const double value = worth(i); value > greatest) {
        best = i;
        greatest = value;
      }
    if (greatest == -std::numeric_limits<double>::infinity()) return impacts.resize(done);
    std::swap(impacts[done], impacts[best]);
    std::swap(apart[done], apart[best]);
  }
  impacts.resize(std::min(impacts.size(), most));
}

/// Moves the impacts that keep a centre from passing to place `front`; all stay in their order otherwise.
/// Returns the place behind them.
[[nodiscard]] std::size_t moveGuardsTo(std::size_t front, std::vector<Impact>& impacts) {
  for (std::size_t i = front; i < impacts.size(); ++i)
    if (impacts[i].is_guard) {
      const auto begin = impacts.begin();
      std::rotate(begin + std::ptrdiff_t(front++), begin + std::ptrdiff_t(i), begin + std::ptrdiff_t(i) + 1);
    }
  return front;
}

/// Do impacts that push as a guard does, and no later, stand all around the centre that it keeps?
[[nodiscard]] bool surround(std::span<const Impact> impacts, const Impact& guard, double size) {
  std::array<Vec3, kMostImpacts> feet;
  std::size_t count = 0;
  for (const Impact& i : impacts)
    if (dot(i.normal, guard.normal) > kSameDirectionCosine && i.gap <= guard.gap)
      feet[count++] = i.position - guard.position;
  return standAround(std::span(feet).first(count), guard.normal, size);
}

/// Leaves the impacts that are no guards, if `most` of them keep all centres as well.
[[nodiscard]] bool dropNeedlessGuards(std::vector<Impact>& found, double size, std::size_t most) {
  std::vector<Impact>& feet = motionScratch().feet;
  feet.clear();
  std::ranges::remove_copy_if(found, std::back_inserter(feet), &Impact::is_guard);
  if (feet.empty()) return false;
  spread(feet, 1, most, size);
  for (const Impact& i : found)
    if (i.is_guard && !surround(feet, i, size)) return false;
  found.swap(feet);
  return true;
}

}  // namespace

std::size_t chooseImpacts(std::vector<Impact>& found, double size, std::span<Impact> out) {
  if (found.empty()) return 0;
  sortByTime(found);
  const std::size_t most = std::min(out.size(), kMostImpacts);
  if (most >= found.size())
    spread(found, 1, most, size);
  else if (!dropNeedlessGuards(found, size, most))
    spread(found, moveGuardsTo(most > 1 ? 1 : 0, found), most, size);
  std::ranges::copy(found, out.begin());
  return found.size();
}

}  // namespace odemesh
