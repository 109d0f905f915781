// Bodies that are deep in each other, and that their contacts do not let out.
#pragma once

#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// The contacts of the regions of overlap of a pair, into a scratch.
using RegionContacts = void (*)(const MeshPair&, ContactScratch&);

/// Contacts say how a body leaves what is around them. Of bodies that cross each other, as two plates do, or
/// that coincide, they may oppose each other, lead back, or lead from one overlap into the next. If those of
/// `scratch` are deep and do so, one contact takes their place, along the shortest way on which mesh 1 comes
/// free as a whole. What is not deep stays: a peg that is too thick for its hole is held by all its contacts.
/// So does what comes free as it turns, which is tried out with contacts from `findContacts`, if that way is
/// more than twice as long as what they tell. Contacts that lead farther than a body is thick, and more than
/// twice as far as a way out that does not pass through a body, are replaced by that: sheets that lie in each
/// other part at once, and slide off each other only by all their length. Of a solid and a sheet, more than
/// three times. Two sheets that cut each other from their borders inwards, and have no contacts since no part
/// is cut off, get one along the shortest way. Contacts of one direction at an edge that free the bodies only
/// if up to twice as long are made so.
void freeLocked(const MeshPair& pair, ContactScratch& scratch, RegionContacts findContacts);

}  // namespace odemesh
