// The middle of a layer that is not of one thickness.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "contact/shadow.hpp"

namespace odemesh {

/// The centroid of an area, weighted by the thickness over it. Sums in units of the area's extent, so that no
/// size is too small or too large for the products.
class LayerCentre {
 public:
  LayerCentre(const ShadowPoint& lo, const ShadowPoint& hi)
      : lo_(lo), size_(std::max(hi.u - lo.u, hi.v - lo.v)) {}

  /// Adds that part of a convex polygon over which the thickness is positive (Sutherland and Hodgman 1974);
  /// it is linear over the whole.
  void addPolygon(std::span<const LayerPoint> polygon) {
    std::optional<LayerPoint> first, before;
    const auto take = [&](const LayerPoint& p) {
      if (first && before) add(*first, *before, p);
      if (!first)
        first = p;
      else
        before = p;
    };
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const LayerPoint &p = polygon[i], &q = polygon[i + 1 == polygon.size() ? 0 : i + 1];
      if (p.thickness >= 0) take(p);
      if ((p.thickness > 0 && q.thickness < 0) || (p.thickness < 0 && q.thickness > 0))
        take({between(p.at, q.at, p.thickness / (p.thickness - q.thickness)), 0});
    }
  }

  /// Adds a triangle, in either winding, over which the thickness is linear; none may be negative.
  void add(const LayerPoint& a, const LayerPoint& b, const LayerPoint& c) {
    const LayerPoint p[3] = {inUnits(a), inUnits(b), inUnits(c)};
    const double area = std::abs(turn(p[0].at, p[1].at, p[2].at));
    const double sum = p[0].thickness + p[1].thickness + p[2].thickness;
    volume_ += area * sum;
    for (const LayerPoint& q : p) {
      const double share = 0.25 * area * (sum + q.thickness);
      at_.u += share * q.at.u;
      at_.v += share * q.at.v;
    }
  }

  /// Nothing if the layer has no volume.
  [[nodiscard]] std::optional<ShadowPoint> centre() const {
    if (!(volume_ > 0)) return std::nullopt;
    return ShadowPoint{lo_.u + size_ * (at_.u / volume_), lo_.v + size_ * (at_.v / volume_)};
  }

 private:
  [[nodiscard]] LayerPoint inUnits(const LayerPoint& p) const {
    return {{(p.at.u - lo_.u) / size_, (p.at.v - lo_.v) / size_}, p.thickness / size_};
  }

  ShadowPoint lo_;
  double size_;
  double volume_ = 0;  ///< six times it
  ShadowPoint at_{0, 0};
};

}  // namespace odemesh
