// Walls that a region of overlap does not meet, but that stand in the way out of it.
#pragma once

#include <array>
#include <cstdint>

#include "contact/placed_mesh.hpp"
#include "contact/region/sheet_side.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// Is a corner of triangle `face` of mesh `side` in front of a wall, that of the plane through `at`?
[[nodiscard]] bool rises(const MeshPair& pair, int side, std::uint32_t face, const Vec3& at,
                         const Vec3& normal);

/// Adds to the few faces of `scratch.faces` of mesh `side` those beside them into which a vertex of
/// `scratch.inside_points` of the other mesh would run on its way off these. No contour need meet them: in
/// the corner of a groove or a room, a vertex may be in the one wall, and touch the other or lie behind it.
/// Nor need it meet all triangles into which a wall is cut. For solids with dents; O(faces * points).
void addWallsBeside(const MeshPair& pair, const std::array<SheetSide, 2>& sides, int side,
                    ContactScratch& scratch);

}  // namespace odemesh
