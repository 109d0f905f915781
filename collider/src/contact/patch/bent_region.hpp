// A region that bends, as that of a body in a corner or of a peg in a hole does: a patch for each of the
// directions in which it leaves.
#pragma once

#include <array>
#include <cstddef>

#include "contact/patch/gather.hpp"
#include "contact/patch/layered_overlay.hpp"
#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// Are both bodies convex, as far as the region in `scratch` shows? Samples do not show all faces.
[[nodiscard]] bool isConvexHere(const MeshPair& pair, ContactScratch& scratch);

class BentRegion {
 public:
  /// The region in `scratch`, whose faces `overlay` has laid over each other along `separation.direction`.
  BentRegion(const MeshPair& pair, const std::array<SheetSide, 2>& sides, const RegionOutline& outline,
             const Separation& separation, LayeredOverlay& overlay, ContactScratch& scratch)
      : pair_(pair),
        sides_(sides),
        outline_(outline),
        separation_(separation),
        overlay_(overlay),
        scratch_(scratch) {}

  /// May the region bend? Then moving out along any one direction is a much longer way than the overlap is
  /// thick along the local ones. `seen` is the depth of the deepest candidate along the single direction.
  [[nodiscard]] bool isLikely(double seen) const;

  /// Appends a patch for each cluster of the faces' directions, or of the samples' ways out. False, with no
  /// patch made and the candidates as they were, if that is not much better than one direction.
  [[nodiscard]] bool split();

  /// Did `split` find that its patches would hold convex bodies between them? Such leave along the area
  /// vector.
  [[nodiscard]] bool isPinched() const { return is_pinched_; }

 private:
  [[nodiscard]] bool mayLeaveLocally() const;
  [[nodiscard]] bool liesOnFace() const;
  [[nodiscard]] double thicknessAlongArea() const;
  [[nodiscard]] bool mayBend() const;
  [[nodiscard]] bool comesOutWithin(double most);
  [[nodiscard]] double mostHeld() const;
  [[nodiscard]] bool mayHold(double most) const;
  [[nodiscard]] bool isNearFace(int side, const Vec3& point, double most) const;
  [[nodiscard]] bool splitByDirection();
  [[nodiscard]] bool splitSamples();
  [[nodiscard]] double makeClusterPatches();
  [[nodiscard]] bool makeClusterPatch(std::size_t k);
  void closeCluster(const Vec3& direction);
  void restorePatch();
  void addUndercuts(double most);
  [[nodiscard]] bool answerVertices(double longest);
  void addCornerPoints(const std::array<std::size_t, 2>& clusters);
  void makeCornerPatches();
  void makeCornerPatch(const std::array<std::size_t, 2>& clusters);
  [[nodiscard]] bool answers(double most, double across, std::size_t first);
  [[nodiscard]] bool isFaceOnFace(double across) const;
  [[nodiscard]] bool explains(double depth) const;
  [[nodiscard]] bool touchesOnly() const;
  [[nodiscard]] bool agreeFrom(std::size_t first) const;
  [[nodiscard]] bool leadOutFrom(std::size_t first) const;
  [[nodiscard]] bool isShallowRim() const;
  [[nodiscard]] bool leanTogetherFrom(std::size_t first) const;
  [[nodiscard]] double deepestContactFrom(std::size_t first) const;

  const MeshPair& pair_;
  const std::array<SheetSide, 2>& sides_;
  const RegionOutline& outline_;
  const Separation& separation_;
  LayeredOverlay& overlay_;
  ContactScratch& scratch_;
  /// The region bends if the single direction's way out is so many times as long as those that are local.
  double bends_from_ = kBentRegion;
  bool is_pinched_ = false;
};

}  // namespace odemesh
