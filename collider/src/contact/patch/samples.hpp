// A deep region of finely cut surfaces holds more vertices than its contacts need: some of them stand for
// all, and look for their ways out through the other mesh.
#pragma once

#include <array>
#include <cstdint>

#include "contact/placed_mesh.hpp"
#include "contact/region/sheet_side.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// Fills `scratch.samples` if region `region` has many vertices inside and is deep along the unit vector
/// `along`; else returns false, and what they hold has no meaning. `scratch.points` holds the region's
/// crossings. Which vertices are taken hangs on their numbers, so that the sample changes as little as the
/// region does.
[[nodiscard]] bool takeSamples(const MeshPair& pair, const std::array<SheetSide, 2>& sides,
                               std::uint32_t region, const Vec3& along, ContactScratch& scratch);

/// Appends to `scratch.candidates` the ways out that the samples have along `separation`, as far as they are
/// no longer than that of the region.
void probeSamples(const MeshPair& pair, const Separation& separation, ContactScratch& scratch);

/// Appends to `scratch.candidates` the ways out that the samples have against their own normals, where what
/// they leave by faces them. One in front of the sheet that it meets is not behind it: the inside has spread
/// to it past a border. False as soon as one has a longer way than `most`.
[[nodiscard]] bool probeSamplesLocally(const MeshPair& pair, const std::array<SheetSide, 2>& sides,
                                       double most, ContactScratch& scratch);

}  // namespace odemesh
