// What a region looks like along a direction.
#pragma once

#include <array>
#include <odemesh/mesh.hpp>
#include <odemesh/pose.hpp>
#include <vector>

#include "contact/scratch.hpp"
#include "contact/shadow.hpp"

namespace odemesh {

/// Two unit vectors that complete `direction` to a right-handed frame; a continuous function of it but at one
/// point (Duff et al. 2017).
[[nodiscard]] std::array<Vec3, 2> tangentsOf(const Vec3& direction);

/// The plane across a unit vector `w`, with the axes `u` and `v`, and the height over it.
struct Projection {
  Vec3 u, v, w;

  [[nodiscard]] static Projection along(const Vec3& direction) {
    const auto [u, v] = tangentsOf(direction);
    return {u, v, direction};
  }

  [[nodiscard]] ShadowPoint of(const Vec3& p) const { return {dot(u, p), dot(v, p)}; }
  [[nodiscard]] double height(const Vec3& p) const { return dot(w, p); }
  [[nodiscard]] Vec3 lift(const ShadowPoint& p, double height) const {
    return u * p.u + v * p.v + w * height;
  }

  /// Appends what a face that is not parallel to `w` looks like if its bounds meet `extent`. A point beside a
  /// shadow by `reach` counts as over it.
  ///@{
  void cast(const RegionFace& face, const ShadowExtent& extent, std::vector<Outline>& outlines) const;
  void cast(const Mesh& mesh, const RegionFace& face, const ShadowExtent& extent, double reach,
            std::vector<Shadow>& shadows) const;
  ///@}

 private:
  struct Corners {
    std::array<ShadowPoint, 3> at;
    ShadowExtent bounds;
  };
  [[nodiscard]] Corners cornersOf(const RegionFace& face) const;
  void outline(const RegionFace& face, const Corners& corners, Outline& out) const;
};

}  // namespace odemesh
