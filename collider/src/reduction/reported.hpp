// A corner of a patch as a caller is given it.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "constants.hpp"
#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// A rotation that is off one by rounding leaves a normal longer or shorter than 1.
inline void makeUnit(Vec3& normal) {
  const double length_sq = lengthSq(normal);
  if (std::abs(length_sq - 1) > 1e-9) normal = normal / std::sqrt(length_sq);
}

/// A corner that is apart by less than this, in units of the smaller mesh's radius, touches where others of
/// its patch overlap. Between the stones of an arch, which press on each other with the weight of a hundred,
/// the joint at a corner that came and went by less would open within a step by as much as they fall freely.
inline constexpr double kCornerGap = kInflation;

/// Does a caller hear of a corner? Those that are farther apart shape the hull of their patch, within the
/// slack; only a caller with a margin hears of them.
[[nodiscard]] inline bool isReported(const Candidate& corner, const Tolerances& tolerances) {
  return tolerances.margin > 0 || corner.depth > -kCornerGap * tolerances.size;
}

/// Appends a corner as a caller is given it.
inline void report(const Candidate& corner, const Tolerances& tolerances, std::vector<Candidate>& out) {
  if (!isReported(corner, tolerances)) return;
  Candidate& c = out.emplace_back(corner);
  c.depth = tolerances.reported(corner.depth);
  if (tolerances.margin <= 0) c.depth = std::max(c.depth, kLeastDepth * tolerances.size);
  makeUnit(c.normal);
}

}  // namespace odemesh
