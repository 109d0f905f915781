#include "mid_phase/wide_rays.hpp"

#include <algorithm>
#include <cmath>

#include "bvh/aabb.hpp"
#include "bvh/wide_walk.hpp"
#include "constants.hpp"
#include "mid_phase/wide_searches.hpp"
#include "vector_norms.hpp"

namespace odemesh {

namespace {

/// Directions closer to an axis plane than this are taken for it: over the size of a tree the difference is
/// far below the slack, and its inverse is still a float.
constexpr float kLeastSlope = 1e-18F;

/// Float roundings, in units of the radius of the tree: of the origin, of the boxes seen from it, and of what
/// their slopes make of that. Some dozen of 6e-8, and some to spare.
constexpr double kRayRounding = 4e-6;

/// That of a vector of any size.
[[nodiscard]] double lengthOf(const Vec3& v) {
  const double length_sq = lengthSq(v);
  if (length_sq > 1e-200 && length_sq < 1e200) return std::sqrt(length_sq);
  const double greatest = greatestComponent(v);
  return greatest * length(v / greatest);
}

}  // namespace

TreeRay TreeRay::in(const WideTree& tree, const Vec3& origin, const Vec3& direction) {
  TreeRay out;
  const WideBox root = boxOf(tree, 0);
  const double radius = length(root.half);
  const double norm = lengthOf(direction), per_unit = 1 / tree.scale();  // a power of two
  const Vec3 from = (origin - tree.origin()) * per_unit - root.centre;
  const Vec3 along = direction * (1 / norm);
  // Beside the rounding of this, that of hits, which sees the triangles from the origin.
  const double slack =
      kRayRounding * radius + 8 * kBoxSlack * (sumOfComponents(from) + sumOfComponents(root.centre));
  const double nearest = -dot(from, along);
  const double reach = radius + slack;
  out.unit_ = norm * per_unit;
  out.start_ = std::max(0.0, nearest - 1.01 * reach);
  out.misses_ = !(lengthSq(from + along * nearest) <= reach * reach * 1.01) || nearest < -1.01 * reach;
  out.ray_.nodes = tree.nodes();
  out.ray_.leaves = tree.leaves();
  out.ray_.slack = floatAbove(slack);
  const Vec3 begin = root.centre + from + along * out.start_;
  for (int i = 0; i < 3; ++i) {
    const auto slope = static_cast<float>(along[i]);
    out.ray_.origin[i] = static_cast<float>(begin[i]);
    out.ray_.direction[i] = slope;
    out.ray_.inverse[i] = 1 / (std::abs(slope) < kLeastSlope ? kLeastSlope : slope);
  }
  return out;
}

float TreeRay::inTree(double t) const {
  return floatAbove((t * unit_ - start_) * (1 + 1e-6) + double(ray_.slack));
}

void TreeRay::run(float limit, const RaySink& sink) const {
  wideSearches().ray(ray_, limit, sink);
}

}  // namespace odemesh
