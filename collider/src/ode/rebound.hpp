// What the first of several impacts that bounce leaves of the others.
#pragma once

#include <odemesh/odemesh.h>

#include "ode/unit_impulse.hpp"

namespace odemesh::ode {

/// The bodies of a pair after a frictionless impulse at one contact alone, by which they part there with
/// `bounce` times their speed of approach.
class Rebound {
 public:
  Rebound(const dContactGeom& contact, double bounce);

  /// Do they still approach at another contact of the pair?
  [[nodiscard]] bool approachAt(const dContactGeom& c) const;

 private:
  UnitImpulse unit_;
  double impulse_ = 0;
};

}  // namespace odemesh::ode
