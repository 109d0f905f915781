// Contacts within a margin. They are found by blowing the bodies up by it, which makes other overlaps of
// them than are there: what is told of blown-up bodies is held against the bodies themselves.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// The contact at the closest points of two bodies.
struct ClosestContact {
  Contact contact;
  bool is_flat;  ///< do two faces lie along each other there, which are as close elsewhere?
};

/// Of bodies that are clear of each other: that contact, if it is closer than `margin` and one of the bodies
/// is a solid.
[[nodiscard]] std::optional<ClosestContact> closestContact(const MeshPair& pair, double margin);

/// Of bodies that are clear of each other: drops the contacts that say that they are nearer than they are.
/// Unless one is left that knows their closest points, and if they are closer than `margin`, adds one there.
void holdAgainstGap(const MeshPair& pair, double margin, ContactScratch& scratch);

/// Of bodies that overlap: puts those where they are apart into `scratch.apart`.
void takeApart(ContactScratch& scratch);

/// Drops of these what the contacts of the bodies as they are know already.
void dropKnown(const MeshPair& pair, ContactScratch& scratch);

/// Writes what there is room for, and returns how many.
[[nodiscard]] std::size_t selectApart(ContactScratch& scratch, std::span<Contact> out);

}  // namespace odemesh
