// What belongs to a region of overlap: its contours, its faces, and what lies inside.
#pragma once

#include <array>
#include <cstdint>

#include "contact/placed_mesh.hpp"
#include "contact/region/sheet_side.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// A point on the rim of a region is looked at this share of the way to the middle.
inline constexpr double kRimInset = 0.01;

/// Where a region begins. All zero if no contour does, since one body lies wholly inside the other.
struct RegionOutline {
  Vec3 area_vector;        ///< of what the contours enclose, out of mesh 2
  Vec3 middle;             ///< of the crossings
  bool is_simple = false;  ///< the area vector has a meaning

  [[nodiscard]] Vec3 alongArea() const { return normalised(area_vector); }
};

/// Fills the lists of `scratch` that are about one region with those of region `region`; of its vertices
/// inside, with samples where they are many. O(crossings + inside vertices).
[[nodiscard]] RegionOutline gatherRegion(const MeshPair& pair, const std::array<SheetSide, 2>& sides,
                                         std::uint32_t region, ContactScratch& scratch);

/// Triangle `t` of a mesh. If it is flipped, its outside is at its back.
[[nodiscard]] RegionFace regionFace(const PlacedMesh& placed, std::uint32_t t, bool is_flipped);

/// Adds triangle `t` of mesh `side` to `scratch.faces`, if it is not there.
void addRegionFace(const MeshPair& pair, const std::array<SheetSide, 2>& sides, int side, std::uint32_t t,
                   ContactScratch& scratch);

}  // namespace odemesh
