#include "contact/patch/facing.hpp"

#include <numeric>
#include <span>

#include "constants.hpp"

namespace odemesh {

namespace {

/// From this many faces on both sides, a patch is sampled at its vertices instead of at the corners of the
/// faces' overlay.
constexpr std::size_t kFineFaces = 48;

[[nodiscard]] std::size_t curvedFaces(const std::vector<Shadow>& shadows) {
  return static_cast<std::size_t>(
      std::count_if(shadows.begin(), shadows.end(), [](const Shadow& s) { return s.isCurved(); }));
}

}  // namespace

Facing::Facing(const MeshPair& pair, const Vec3& direction, double least_facing, ContactScratch& scratch)
    : onto_(Projection::along(direction)),
      scratch_(scratch),
      lowest_(ShadowExtent::kNone),
      highest_(-ShadowExtent::kNone) {
  least_facing = std::max(least_facing, kSideFaceCosine);
  for (auto& shadows : scratch.shadows) shadows.clear();
  if (!hasFacing(0, least_facing) || !hasFacing(1, least_facing)) return;
  boundPoints(pair.tolerances().slack);
  for (int side = 0; side < 2; ++side) project(pair, side, least_facing);
}

bool Facing::hasFacing(int side, double least_facing) const {
  const auto& faces = scratch_.faces[side];
  return std::any_of(faces.begin(), faces.end(),
                     [&](const RegionFace& f) { return cosineOf(side, f) > least_facing; });
}

void Facing::boundPoints(double slack) {
  const auto take = [&](const Vec3& p) {
    extent_.take(onto_.of(p));
    lowest_ = std::min(lowest_, onto_.height(p));
    highest_ = std::max(highest_, onto_.height(p));
  };
  for (const Vec3& p : scratch_.points[0]) take(p);
  // Both sides begin with the contour's.
  for (const Vec3& p : std::span(scratch_.points[1]).subspan(scratch_.contour_points)) take(p);
  lowest_ -= slack;
  highest_ += slack;
  // Edges of walls that lean inwards cross, as they are seen, beside the points of the contour.
  extent_ = extent_.widened(slack + height());
}

void Facing::project(const MeshPair& pair, int side, double least_facing) {
  auto& shadows = scratch_.shadows[side];
  for (const RegionFace& f : scratch_.faces[side]) {
    if (cosineOf(side, f) > least_facing)
      onto_.cast(pair[side].mesh(), f, extent_, pair.tolerances().touching, shadows);
  }
}

void Facing::sortAlong(const std::vector<Shadow>& shadows, std::vector<std::uint32_t>& order) {
  order.resize(shadows.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t k) {
    const Shadow &a = shadows[i], &b = shadows[k];
    return a.lo.u != b.lo.u ? a.lo.u < b.lo.u : a.face < b.face;
  });
}

bool Facing::isFine() const {
  return std::all_of(scratch_.shadows.begin(), scratch_.shadows.end(),
                     [](const std::vector<Shadow>& shadows) {
                       if (shadows.size() < kFineFaces) return false;
                       const std::size_t curved = curvedFaces(shadows);
                       return curved >= kFineFaces && 2 * curved >= shadows.size();
                     });
}

bool Facing::isFlatAndMany() const {
  const auto& [first, second] = scratch_.shadows;
  const auto isFlat = [](const std::vector<Shadow>& shadows) {
    return 2 * curvedFaces(shadows) < shadows.size();
  };
  return first.size() * second.size() > kFewPairs && isFlat(first) && isFlat(second);
}

}  // namespace odemesh
