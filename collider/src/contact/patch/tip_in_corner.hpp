// What stands with a tip in the corner of steep walls.
#pragma once

#include <cstddef>

#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// Where contacts from `first` on hold a tip between steep walls, in a crack or a pit, appends one that leads
/// out between these, no deeper than any of them. It forbids nothing that they allow: but they carry what
/// stands on the tip by pressing it between them, many times as hard, and a solver that takes one contact
/// after the other has not found that by the end of a step. What lies along all of the walls carries by
/// these, and gets none: its friction is that of the pressing.
void addOutOfCorners(const MeshPair& pair, std::size_t first, ContactScratch& scratch);

}  // namespace odemesh
