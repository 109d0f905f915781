#include "contact/patch/layered_overlay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "contact/patch/corner.hpp"
#include "contact/patch/shared_ground.hpp"

namespace odemesh {

namespace {

/// The distance of two faces is the thickness of one layer if a ray finds the same but for this share.
constexpr double kLayerSlack = 0.2;

}  // namespace

void LayeredOverlay::lay(const Vec3& direction, double least_facing, const OverlayOptions& options) {
  const Facing& facing = facing_.emplace(pair_, direction, least_facing, scratch_);
  overlayFaces(pair_, facing, options, scratch_);
  if (pair_.areConvex() || deepestIsOneLayer(direction, options)) return;
  has_layers_ = has_layers_ || !options.local_normals;
  auto& candidates = scratch_.candidates;
  const auto note = [&](const Candidate& c) {
    if (options.local_normals) scratch_.dropped.push_back({c, options.cluster});
  };
  const Layers layers(pair_, direction, scratch_);
  std::erase_if(candidates, [&](const Candidate& c) {
    if (c.depth <= pair_.tolerances().slack || layers.isOne(spanAt(c, direction, kAtRim))) return false;
    note(c);
    return true;
  });
  dropFromDeepest([&](const Candidate& c) {
    const bool is_false = !isOneLayerOrThin(c, direction, options);
    if (is_false) note(c);
    return is_false;
  });
}

/// Drops the deepest candidate for as long as `is_false` holds for it; the others keep their order.
template <typename IsFalse>
void LayeredOverlay::dropFromDeepest(IsFalse&& is_false) {
  auto& candidates = scratch_.candidates;
  auto& heap = scratch_.by_depth;
  heap.resize(candidates.size());
  std::iota(heap.begin(), heap.end(), std::uint32_t{0});
  const auto comes_later = [&](std::uint32_t i, std::uint32_t j) {
    return std::pair(candidates[i].depth, j) < std::pair(candidates[j].depth, i);
  };
  std::ranges::make_heap(heap, comes_later);
  constexpr double kDropped = -std::numeric_limits<double>::infinity();
  while (!heap.empty()) {
    Candidate& deepest = candidates[heap.front()];
    if (!is_false(deepest)) break;
    std::ranges::pop_heap(heap, comes_later);
    heap.pop_back();
    deepest.depth = kDropped;
  }
  std::erase_if(candidates, [](const Candidate& c) { return c.depth == kDropped; });
}

double LayeredOverlay::greatestDepthAcross() const {
  const double reach = pair_.tolerances().touching;
  double depth = 0;
  for (const Candidate& c : scratch_.candidates) {
    if (c.depth <= depth) continue;
    const ShadowPoint at = facing_->onto().of(c.position);
    facing_->forEachPairAt(at, reach, [&](const Shadow& a, const Shadow& b) {
      if (std::abs(thicknessAt(at, a, b) - c.depth) > reach) return;
      const double steepest = std::min(-dot(a.normal, c.normal), dot(b.normal, c.normal));
      depth = std::max(depth, c.depth * steepest);
    });
  }
  return depth;
}

double LayeredOverlay::areaOverlapped(const Vec3& direction, double least) const {
  double area = 0;
  Facing(pair_, direction, 0, scratch_).forEachPair([&](const Shadow& a, const Shadow& b) {
    SharedGround ground(a, b);
    ground.clip([&](const ShadowPoint& p) { return thicknessAt(p, a, b) - least; });
    area += ground.area();
  });
  return area;
}

bool LayeredOverlay::isUndercutAtWall(const Candidate& c, std::size_t k) const {
  const Vec3& direction = scratch_.clusters[k];
  const LayerSpan span = spanAt(c, direction, kAtRim);
  const auto side = undercutSide(pair_, direction, span);
  return side && leavesOffWall(pair_, *side, endOf(span, *side, direction), k, c.depth, scratch_);
}

bool LayeredOverlay::deepestIsOneLayer(const Vec3& direction, const OverlayOptions& options) const {
  const auto deepest = std::ranges::max_element(scratch_.candidates, {}, &Candidate::depth);
  return deepest == scratch_.candidates.end() || isOneLayerOrThin(*deepest, direction, options);
}

/// Is a candidate one layer, or too thin to be more? A rim that hangs over a wall of a bent region is for
/// `isUndercutAtWall`.
bool LayeredOverlay::isOneLayerOrThin(const Candidate& c, const Vec3& direction,
                                      const OverlayOptions& options) const {
  return c.depth < kLeastLayer * pair_.size() || isOneLayer(pair_, direction, spanAt(c, direction, kAtRim)) ||
         (!options.local_normals && isOneLayerFurtherIn(c, direction));
}

/// Of the two rays that look for layers, one may start outside because its body narrows from the rim on, or
/// because the patch has a notch.
bool LayeredOverlay::isOneLayerFurtherIn(const Candidate& c, const Vec3& direction) const {
  return undercutSide(pair_, direction, spanAt(c, direction, kAtRim)) &&
         (isOneLayer(pair_, direction, spanOnFaces(c, direction)) ||
          isOneLayer(pair_, direction, spanAt(c, direction, kBesideRim)));
}

/// Between the two faces of a candidate. A little further in, since a ray along the border meets faces
/// edge-on.
LayerSpan LayeredOverlay::spanAt(const Candidate& c, const Vec3& direction, const Inset& inset) const {
  return spanTowards(middle_, c, direction, inset);
}

/// Where the patch is not convex, its middle may lie past another side of it than the one at the candidate.
LayerSpan LayeredOverlay::spanOnFaces(const Candidate& c, const Vec3& direction) const {
  const Projection onto = Projection::along(direction);
  const ShadowPoint at = onto.of(c.position);
  const SharedGround ground(onto, pair_[0].triangle(c.face[0]), pair_[1].triangle(c.face[1]));
  const ShadowPoint middle = ground.middle(at);
  return spanTowards(c.position + onto.lift({middle.u - at.u, middle.v - at.v}, 0), c, direction, kAtRim);
}

LayerSpan LayeredOverlay::spanTowards(const Vec3& middle, const Candidate& c, const Vec3& direction,
                                      const Inset& inset) const {
  const double thickness = c.depth / dot(c.normal, direction);
  const Vec3 inwards = middle - c.position;
  const double share =
      std::min(inset.most, inset.of_depth * thickness / std::max(length(inwards), thickness));
  return {c.position + inwards * share, thickness, kLayerSlack * thickness + pair_.tolerances().slack};
}

}  // namespace odemesh
