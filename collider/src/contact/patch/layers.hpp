// Do two opposing faces bound one layer of overlap, or is there something else between them?
#pragma once

#include <optional>

#include "contact/placed_mesh.hpp"
#include "contact/projection.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// Faces closer than this, in units of the smaller mesh's radius, are taken for those of one layer.
inline constexpr double kLeastLayer = 1e-3;

/// The line between two faces that may bound a layer.
struct LayerSpan {
  Vec3 centre;       ///< its middle
  double thickness;  ///< its length
  double slack;      ///< where the layer ends it may be off by this
};

/// Do both bodies fill the span along the unit vector `direction`, and end with it? Asks the whole of both
/// meshes, by two rays.
[[nodiscard]] bool isOneLayer(const MeshPair& pair, const Vec3& direction, const LayerSpan& span);

/// The mesh whose end of the span lies inside the other one by the span's length, while the other end is
/// outside of this mesh, which should fill the span, too; nothing if that is not so.
[[nodiscard]] std::optional<int> undercutSide(const MeshPair& pair, const Vec3& direction,
                                              const LayerSpan& span);

/// The end of the span that lies on mesh `side`.
[[nodiscard]] Vec3 endOf(const LayerSpan& span, int side, const Vec3& direction);

/// All faces of a region, to be looked at along one direction. An overlap ends where a face of its region
/// crosses the line, so no other face need be known. Building takes O(n) for n faces, a look as much as there
/// are faces over a point.
class Layers {
 public:
  Layers(const MeshPair& pair, const Vec3& direction, ContactScratch& scratch);

  /// As `isOneLayer`.
  [[nodiscard]] bool isOne(const LayerSpan& span) const;

 private:
  const MeshPair& pair_;
  Projection onto_;
  const std::array<ShadowGrid<Outline>, 2>& grid_;
};

}  // namespace odemesh
