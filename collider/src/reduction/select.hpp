// From the contacts of all patches to those that a caller has room for.
#pragma once

#include <cstddef>
#include <odemesh/collide.hpp>
#include <span>

#include "contact/scratch.hpp"

namespace odemesh {

/// Fills `out` from the patches in `scratch.contacts`, whose first contact is their deepest: first the
/// deepest of all, then from each patch in turn its next one, so that no patch is lost while there is room.
/// Where there is no room for all, it is of each patch the one that is farthest from those taken. Returns how
/// many were written.
[[nodiscard]] std::size_t selectContacts(ContactScratch& scratch, std::span<Contact> out);

}  // namespace odemesh
