// A corner of a patch as a caller is given it.
#pragma once

#include <cmath>
#include <vector>

#include "contact/scratch.hpp"

namespace odemesh {

/// A rotation that is off one by rounding leaves a normal longer or shorter than 1.
inline void makeUnit(Vec3& normal) {
  const double length_sq = lengthSq(normal);
  if (std::abs(length_sq - 1) > 1e-9) normal = normal / std::sqrt(length_sq);
}

/// Appends a corner as a caller is given it. Corners of a patch that are apart, within the slack, shape its
/// hull; only a caller with a margin hears of them.
inline void report(const Candidate& corner, const Tolerances& tolerances, std::vector<Candidate>& out) {
  const double depth = tolerances.reported(corner.depth);
  if (depth <= 0 && tolerances.margin <= 0) return;
  Candidate& c = out.emplace_back(corner);
  c.depth = depth;
  makeUnit(c.normal);
}

}  // namespace odemesh
