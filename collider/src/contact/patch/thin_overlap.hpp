// Where the faces of a direction lie far over each other, is there an overlap as thick, or only one along it?
#pragma once

#include <cstddef>

#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// Drops candidates of cluster `k`, which are those of `scratch.candidates`, around which the overlap of two
/// solids is thin along other clusters: that of a rim that rests on a ledge is long along the ledge. Those no
/// deeper than others, around which it is not, stay.
void dropThin(const MeshPair& pair, std::size_t k, ContactScratch& scratch);

}  // namespace odemesh
