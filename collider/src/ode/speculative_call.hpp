// What odemeshCollideSpeculative is asked.
#pragma once

#include <odemesh/odemesh.h>

#include "ode/reinforce.hpp"

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

}  // namespace odemesh::ode
