// A mesh's bounds, and how far they reach.
#pragma once

#include <algorithm>
#include <cmath>
#include <odemesh/mesh.hpp>

namespace odemesh {

/// A mesh's bounding box, sphere and, where it lies askew in that box and is thin, slab: all in its frame,
/// around `Mesh::sphereCentre()`.
struct MeshBounds {
  explicit MeshBounds(const Mesh& mesh)
      : half(mesh.boxHalfExtent()),
        radius(mesh.sphereRadius()),
        thin_axis(mesh.thinAxis()),
        thin_reach(mesh.thinReach()) {}

  [[nodiscard]] bool hasSlab() const { return thin_reach > 0; }

  /// From their middle along the unit vector `n`, to either side.
  [[nodiscard]] double reach(const Vec3& n) const {
    const double out =
        std::min(std::abs(n.x) * half.x + std::abs(n.y) * half.y + std::abs(n.z) * half.z, radius);
    return hasSlab() ? std::min(out, slabReach(n)) : out;
  }

  Vec3 half;
  double radius;
  Vec3 thin_axis;
  double thin_reach;  ///< 0 without a slab

 private:
  /// Within the slab, and the sphere across it.
  [[nodiscard]] double slabReach(const Vec3& n) const {
    const double along = dot(n, thin_axis), across_sq = std::max(lengthSq(n) - along * along, 0.0);
    return std::abs(along) * thin_reach + std::sqrt(across_sq) * radius;
  }
};

}  // namespace odemesh
