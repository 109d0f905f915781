// Two corners that overlap by a hair whichever way they leave each other, and slide past one another.
#pragma once

#include <array>
#include <optional>

#include "contact/placed_mesh.hpp"
#include "contact/region/sheet_side.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// Where a step ends with the front edge of a plate a little beyond the edge of the next slab, into which it
/// has sunk as it rests, or a little before the ridge of a bar, the shortest way out is back. The motion
/// tells that it goes on: the direction of a face along which the bodies move, if these come free along it
/// by next to nothing for good. None without `scratch.motion`, nor if that already runs along the region's
/// direction, or is too slow to climb as much.
[[nodiscard]] std::optional<Vec3> findWayPast(const MeshPair& pair, const std::array<SheetSide, 2>& sides,
                                              const Separation& separation, ContactScratch& scratch);

}  // namespace odemesh
