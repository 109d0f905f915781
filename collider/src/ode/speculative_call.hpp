// What odemeshCollideSpeculative is asked.
#pragma once

#include <odemesh/odemesh.h>

#include <algorithm>

#include "ode/contact_array.hpp"
#include "ode/settings.hpp"

namespace odemesh::ode {

/// The arguments of odemeshCollideSpeculative.
struct SpeculativeCall {
  dGeomID g1, g2;
  double dt;
  int flags, room;
  const dSurfaceParameters* surface;
  ContactArray contacts;

  [[nodiscard]] dContact& at(int i) const { return contacts[i]; }
  [[nodiscard]] dSurfaceParameters surfaceOrNone() const {
    return surface != nullptr ? *surface : dSurfaceParameters{};
  }
};

/// What is left of `room` for contacts of a pair that has `standing` ones, by the limit that the options set.
[[nodiscard]] inline int roomBeside(int standing, int room) {
  const int limit = options().contact_limit;
  return limit > 0 ? std::clamp(limit - standing, 0, room) : room;
}

}  // namespace odemesh::ode
