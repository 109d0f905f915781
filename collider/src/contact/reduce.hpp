// From many candidates to the few contacts that a solver needs.
#pragma once

#include <cstddef>
#include <odemesh/collide.hpp>
#include <span>

#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// Leaves in `scratch.candidates` the contacts that represent one patch: the corners of the convex hull
/// across `direction`, cut down to `kPatchCorners` by the least loss of area (compare Moravanszky and
/// Terdiman 2004), and the deepest point unless a corner is as deep. The deepest is first, the corners follow
/// in their order around the hull. Depths become those that are reported; `scratch.is_tip` tells whether the
/// deepest is well within much shallower corners. False, with no candidate left, if the patch does not touch.
[[nodiscard]] bool reducePatch(const Vec3& direction, const Tolerances& tolerances, ContactScratch& scratch);

/// Fills `out` from the patches in `scratch.contacts`: first the deepest of all, then from each patch in turn
/// its next one, so that no patch is lost while there is room. Returns how many were written.
[[nodiscard]] std::size_t selectContacts(const ContactScratch& scratch, std::span<Contact> out);

}  // namespace odemesh
