// What a fast mesh strikes is set in motion, and strikes others within the same step.
#pragma once

#include <odemesh/odemesh.h>

#include "ode/contact_array.hpp"

namespace odemesh::ode {

/// Calls `callback` for the pairs of `space` (and its subspaces) of which the first `count` of the step's
/// contacts drive one fast towards the other, and then for those that the contacts found so drive. During a
/// call, odemeshCollideSpeculative on this thread reckons with these motions, and gives what is to be added
/// to the pair's contacts. Those of a pair stand side by side.
void collideStruck(dSpaceID space, double dt, const ContactArray& contacts, int count, void* data,
                   dNearCallback* callback);

}  // namespace odemesh::ode
