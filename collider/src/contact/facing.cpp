#include "contact/facing.hpp"

#include "constants.hpp"

namespace odemesh {

namespace {

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
  boundPoints(pair.tolerances().slack);
  for (int side = 0; side < 2; ++side) project(pair, side, std::max(least_facing, kSideFaceCosine));
}

void Facing::boundPoints(double slack) {
  for (const auto& points : scratch_.points)
    for (const Vec3& p : points) {
      extent_.take(onto_.of(p));
      lowest_ = std::min(lowest_, onto_.height(p));
      highest_ = std::max(highest_, onto_.height(p));
    }
  extent_ = extent_.widened(slack);
  lowest_ -= slack;
  highest_ += slack;
}

void Facing::project(const MeshPair& pair, int side, double least_facing) {
  auto& shadows = scratch_.shadows[side];
  shadows.clear();
  for (const RegionFace& f : scratch_.faces[side]) {
    const double facing = side == 0 ? -dot(f.normal, onto_.w) : dot(f.normal, onto_.w);
    if (facing <= least_facing) continue;
    const Shadow s = onto_.of(pair[side], f);
    if (s.meets(extent_)) shadows.push_back(s);
  }
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
