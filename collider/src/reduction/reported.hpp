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

/// Appends a corner as a caller is given it: with a positive depth, but for a caller with a margin.
inline void report(const Candidate& corner, const Tolerances& tolerances, std::vector<Candidate>& out) {
  Candidate& c = out.emplace_back(corner);
  c.depth = tolerances.reported(corner.depth);
  if (tolerances.margin <= 0) c.depth = std::max(c.depth, kLeastDepth * tolerances.size);
  makeUnit(c.normal);
}

}  // namespace odemesh
