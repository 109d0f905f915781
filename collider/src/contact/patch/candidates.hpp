// The candidate contacts of the patch in hand, and what becomes of them.
#pragma once

#include <span>

#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// The depth of the deepest of `scratch.candidates`, at least 0.
[[nodiscard]] double greatestDepth(const ContactScratch& scratch);

/// Adds a contact that is not that of two faces in particular, at `position`; it gets one of the region's on
/// each side. Nothing where a side has none: edges may cross without a contour.
void addCandidate(const Vec3& position, const Vec3& normal, double depth, ContactScratch& scratch);

/// Appends `scratch.candidates` as they are to `scratch.contacts`, in the world's frame, as a patch.
void appendPatch(const MeshPair& pair, ContactScratch& scratch);

/// Reduces the candidates to those that carry, across `direction`, and appends them, if they touch at all.
void closePatch(const MeshPair& pair, const Vec3& direction, ContactScratch& scratch);

/// The same, a patch for each of `directions`, of the candidates whose normals are closest to it.
void closePatches(const MeshPair& pair, std::span<const Vec3> directions, ContactScratch& scratch);

}  // namespace odemesh
