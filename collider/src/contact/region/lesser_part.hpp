// Of a body that a sheet cuts in two, which part is the lesser one?
#pragma once

#include <optional>

#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// Is the part of mesh `side` in front of a piece of the other mesh, a sheet, the lesser one of two? None if
/// the closed contours on that piece neither part its vertices nor stay in its faces. One that is nowhere
/// more than a hair from the sheet is, else that whose vertices are nearer to their contours. Spreads over
/// both parts at once until the lesser one is known, so that the greater one need not be walked: O(n) for n
/// vertices of the lesser one, and as many of the other.
[[nodiscard]] std::optional<bool> isLesserPartInFront(const MeshPair& pair, int side, std::uint32_t piece,
                                                      ContactScratch& scratch);

/// Do the edges of mesh `side` that cross the other one, a sheet, rise in front of it less high by far than
/// they reach behind it? Where there are none, the faces that the sheet's edges cross. None if they do about
/// as far. In an open shell, which has an outside, only what is no more than a hair on the one side tells.
[[nodiscard]] std::optional<bool> isLowerInFront(const MeshPair& pair, int side,
                                                 const ContactScratch& scratch);

}  // namespace odemesh
