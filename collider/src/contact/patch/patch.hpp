// Stage 6 for one region of overlap: its direction, its depths, its contacts.
#pragma once

#include <array>
#include <cstdint>

#include "contact/placed_mesh.hpp"
#include "contact/region/sheet_side.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// Appends the contacts of region `region` to `scratch.contacts` and closes a patch.
void addPatch(const MeshPair& pair, const std::array<SheetSide, 2>& sides, std::uint32_t region,
              ContactScratch& scratch);

}  // namespace odemesh
