// An overlay of a region's faces without those that other layers of the bodies part: between turns of a
// thread, say, the distance of two faces is not the thickness of an overlap.
#pragma once

#include <cstddef>
#include <optional>

#include "contact/patch/facing.hpp"
#include "contact/patch/gather.hpp"
#include "contact/patch/layers.hpp"
#include "contact/patch/overlay.hpp"
#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

class LayeredOverlay {
 public:
  /// `middle` is that of the region whose lists are in `scratch`.
  LayeredOverlay(const MeshPair& pair, const Vec3& middle, ContactScratch& scratch)
      : pair_(pair), middle_(middle), scratch_(scratch) {}

  /// Appends to `scratch.candidates` what `overlayFaces` tells, less those candidates between whose faces
  /// lies more than one layer of the bodies; with local normals, these go to `scratch.dropped`. If the
  /// deepest one is of one layer, all are taken to be; else each is tested against the faces of the region,
  /// and the deepest that are left against all other faces.
  void lay(const Vec3& direction, double least_facing, const OverlayOptions& options);

  /// Did any look along the direction of all normals, so far, find faces with more than one layer between
  /// them?
  [[nodiscard]] bool hasLayers() const { return has_layers_; }

  /// The greatest thickness of `scratch.candidates`, those of the last look, measured off the steeper of the
  /// two faces that bound it instead of along the direction: past a wall that stands along that, there is
  /// hardly any. Of faces that meet at a corner, any may bound it.
  [[nodiscard]] double greatestDepthAcross() const;

  /// The area, across the direction, over which faces of the region that look along it overlap by at least
  /// this. Other looks are forgotten.
  [[nodiscard]] double areaOverlapped(const Vec3& direction, double least) const;

  /// May a candidate that was dropped from cluster `k` be the corner of a wedge, however deep, at the wall
  /// that it is pressed into? Its sides lean away from the wall's normal.
  [[nodiscard]] bool isUndercutAtWall(const Candidate& c, std::size_t k) const;

 private:
  /// How far from a candidate, towards the middle, a ray that looks for layers starts: in units of its depth,
  /// and at most this share of the way.
  struct Inset {
    double of_depth, most;
  };
  static constexpr Inset kAtRim{0.1, kRimInset};
  /// Where a rim hangs over, a ray that starts nearer may start outside.
  static constexpr Inset kBesideRim{4, 0.5};

  template <typename IsFalse>
  void dropFromDeepest(IsFalse&& is_false);
  [[nodiscard]] bool deepestIsOneLayer(const Vec3& direction, const OverlayOptions& options) const;
  [[nodiscard]] bool isOneLayerOrThin(const Candidate& c, const Vec3& direction,
                                      const OverlayOptions& options) const;
  [[nodiscard]] bool isOneLayerFurtherIn(const Candidate& c, const Vec3& direction) const;
  [[nodiscard]] LayerSpan spanAt(const Candidate& c, const Vec3& direction, const Inset& inset) const;
  [[nodiscard]] LayerSpan spanOnFaces(const Candidate& c, const Vec3& direction) const;
  [[nodiscard]] LayerSpan spanTowards(const Vec3& middle, const Candidate& c, const Vec3& direction,
                                      const Inset& inset) const;

  const MeshPair& pair_;
  Vec3 middle_;
  ContactScratch& scratch_;
  bool has_layers_ = false;
  std::optional<Facing> facing_;  ///< of the last look
};

}  // namespace odemesh
