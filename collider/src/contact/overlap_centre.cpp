#include "contact/overlap_centre.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "contact/clip.hpp"
#include "contact/layer_centre.hpp"

namespace odemesh {

namespace {

/// A convex polygon in the plane across the contact direction: a triangle clipped by a triangle and a
/// rectangle.
struct Polygon {
  static constexpr int kMost = 12;
  std::array<ShadowPoint, kMost> corner;
  int count = 0;

  void add(const ShadowPoint& p) {
    if (count < kMost) corner[count++] = p;
  }
  [[nodiscard]] std::span<const ShadowPoint> corners() const {
    return std::span(corner).first(static_cast<std::size_t>(count));
  }
};

/// The side of a line on which points p have value(p) <= 0.
struct HalfPlane {
  double nu, nv, offset;
  [[nodiscard]] double value(const ShadowPoint& p) const { return nu * p.u + nv * p.v - offset; }
};

/// Inside of the side of a shadow from p to q.
[[nodiscard]] HalfPlane insideOf(const ShadowPoint& p, const ShadowPoint& q) {
  const double nu = q.v - p.v;
  const double nv = p.u - q.u;
  return {nu, nv, nu * p.u + nv * p.v};
}

/// Keeps the part of `polygon` inside. Often that is all of it.
void clip(Polygon& polygon, const HalfPlane& inside) {
  std::array<double, Polygon::kMost> value;
  bool is_cut = false;
  for (int i = 0; i < polygon.count; ++i) {
    value[i] = inside.value(polygon.corner[i]);
    is_cut |= !(value[i] <= 0);
  }
  if (!is_cut) return;
  Polygon out;
  clipConvex(
      polygon.corners(), [&](std::size_t i) { return value[i]; }, [&](const ShadowPoint& p) { out.add(p); });
  polygon.count = out.count;
  std::copy_n(out.corner.begin(), out.count, polygon.corner.begin());
}

/// What both faces cover, within the extent of the region.
[[nodiscard]] Polygon sharedGround(const Shadow& a, const Shadow& b, const Facing& facing) {
  Polygon shared;
  for (const ShadowPoint& p : a.corner) shared.add(p);
  for (int i = 0; i < 3; ++i) clip(shared, insideOf(b.corner[i], b.corner[nextCorner(i)]));
  const auto corners = shared.corners();
  if (std::all_of(corners.begin(), corners.end(), [&](const ShadowPoint& p) { return facing.contains(p); }))
    return shared;
  clip(shared, {1, 0, facing.extent().hi.u});
  clip(shared, {-1, 0, -facing.extent().lo.u});
  clip(shared, {0, 1, facing.extent().hi.v});
  clip(shared, {0, -1, -facing.extent().lo.v});
  return shared;
}

/// Do the planes of two faces overlap at a corner of `over`?
[[nodiscard]] bool overlapOver(const Shadow& over, const Shadow& a, const Shadow& b) {
  return std::any_of(std::begin(over.corner), std::end(over.corner),
                     [&](const ShadowPoint& p) { return thicknessAt(p, a, b) > 0; });
}

}  // namespace

std::optional<Vec3> overlapCentre(const Facing& facing) {
  if (facing.isFine() || facing.isFlatAndMany()) return std::nullopt;
  LayerCentre layer(facing.extent().lo, facing.extent().hi);
  std::array<LayerPoint, Polygon::kMost> corner;
  facing.forEachPair([&](const Shadow& a, const Shadow& b) {
    if (!overlapOver(a, a, b) || !overlapOver(b, a, b)) return;
    const Polygon shared = sharedGround(a, b, facing);
    const auto count = static_cast<std::size_t>(shared.count);
    double greatest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      corner[i] = {shared.corner[i], thicknessAt(shared.corner[i], a, b)};
      greatest = std::max(greatest, corner[i].thickness);
    }
    // Faces that are too far apart bound no overlap.
    if (greatest <= facing.height()) layer.addPolygon(std::span(corner).first(count));
  });
  const auto at = layer.centre();
  return at ? std::optional(facing.onto().lift(*at, 0)) : std::nullopt;
}

}  // namespace odemesh
