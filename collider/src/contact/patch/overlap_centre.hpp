// The middle of what two bodies overlap by.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "contact/placed_mesh.hpp"
#include "contact/region/sheet_side.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// The centroid of the volume of a region of overlap, in the contact frame: a sum over the pieces of edges
/// inside and the segments of the contours, each the share of a polyhedron that a face has by one of its
/// sides (after Mirtich 1996, without his projections). Nothing where the region is not closed: at the border
/// of a sheet, at edges of more than two faces. `middle` is that of the region's crossings. O(crossings +
/// inside vertices).
[[nodiscard]] std::optional<Vec3> overlapCentre(const MeshPair& pair, const std::array<SheetSide, 2>& sides,
                                                std::uint32_t region, const Vec3& middle,
                                                const ContactScratch& scratch);

/// The centroid of what the region's contour encloses, seen along a direction, if it is one closed contour.
[[nodiscard]] std::optional<Vec3> contourCentre(std::uint32_t region, const Vec3& middle,
                                                const Vec3& direction, const ContactScratch& scratch);

}  // namespace odemesh
