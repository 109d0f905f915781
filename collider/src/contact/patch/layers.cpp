#include "contact/patch/layers.hpp"

#include <cmath>

#include "constants.hpp"
#include "contact/way_out/way_out.hpp"

namespace odemesh {

namespace {

/// Of all that may be looked at: the candidates, and the region's points, between which its middle lies.
[[nodiscard]] ShadowExtent extentOf(const Projection& onto, const ContactScratch& scratch) {
  ShadowExtent out;
  for (const Candidate& c : scratch.candidates) out.take(onto.of(c.position));
  for (const Vec3& p : scratch.points[0]) out.take(onto.of(p));
  return out;
}

/// How far the ray along a span, from its end on mesh `side`, leads through the other mesh; 0 if it starts
/// outside.
[[nodiscard]] double wayAlong(const MeshPair& pair, int side, const Vec3& direction, const LayerSpan& span) {
  const Vec3 way = side == 0 ? direction : -direction;
  const auto exit = exitFace(pair, side, endOf(span, side, direction), way, span.thickness + span.slack);
  return exit ? exit->t : 0.0;
}

[[nodiscard]] bool fits(double way, const LayerSpan& span) {
  return std::abs(way - span.thickness) <= span.slack;
}

}  // namespace

bool isOneLayer(const MeshPair& pair, const Vec3& direction, const LayerSpan& span) {
  return fits(wayAlong(pair, 0, direction, span), span) && fits(wayAlong(pair, 1, direction, span), span);
}

std::optional<int> undercutSide(const MeshPair& pair, const Vec3& direction, const LayerSpan& span) {
  const double first = wayAlong(pair, 0, direction, span), second = wayAlong(pair, 1, direction, span);
  if (second == 0 && fits(first, span)) return 0;
  if (first == 0 && fits(second, span)) return 1;
  return std::nullopt;
}

Vec3 endOf(const LayerSpan& span, int side, const Vec3& direction) {
  return span.centre + direction * ((side == 0 ? -0.5 : 0.5) * span.thickness);
}

Layers::Layers(const MeshPair& pair, const Vec3& direction, ContactScratch& scratch)
    : pair_(pair), onto_(Projection::along(direction)), grid_(scratch.layer_grid) {
  const ShadowExtent extent = extentOf(onto_, scratch);
  const double reach = pair.tolerances().touching;
  const ShadowExtent widened = extent.widened(reach);
  for (int side = 0; side < 2; ++side) {
    auto& outlines = scratch.layer_outlines[side];
    outlines.clear();
    for (const RegionFace& f : scratch.faces[side]) {
      if (std::abs(dot(f.normal, direction)) > kSideFaceCosine) onto_.cast(f, widened, outlines);
    }
    scratch.layer_grid[side].build(outlines, extent.lo, extent.hi, reach);
  }
}

bool Layers::isOne(const LayerSpan& span) const {
  const ShadowPoint at = onto_.of(span.centre);
  const double middle = onto_.height(span.centre);
  // Mesh 1 ends at its first face below the top, mesh 2 at its first face above the bottom.
  for (int side = 0; side < 2; ++side) {
    const double up = side == 0 ? -1 : 1;
    const double start = -0.5 * span.thickness - pair_.tolerances().slack;
    double end = kEndless;
    bool looks_along = false;
    grid_[side].at(at, [&](const Outline& s) {
      const double height = up * (s.height(at) - middle);
      if (height < start || height >= end) return;
      end = height;
      looks_along = s.looks_up == (side == 1);
    });
    if (pair_[side].mesh().isSolid() && !looks_along) return false;
    if (std::abs(end - 0.5 * span.thickness) > span.slack) return false;
  }
  return true;
}

}  // namespace odemesh
