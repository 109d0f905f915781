// What the first of several impacts that bounce leaves of the others.
#pragma once

#include <odemesh/odemesh.h>

#include <array>
#include <odemesh/pose.hpp>

namespace odemesh::ode {

/// The bodies of a pair after a frictionless impulse at one contact alone, by which they part there with
/// `bounce` times their speed of approach.
class Rebound {
 public:
  Rebound(const dContactGeom& contact, double bounce);

  /// Do they still approach at another contact of the pair?
  [[nodiscard]] bool approachAt(const dContactGeom& c) const;

 private:
  /// Of one body: zero of what takes no impulse.
  struct Change {
    Vec3 centre, velocity, spin;

    [[nodiscard]] Vec3 at(const Vec3& point) const { return velocity + cross(spin, point - centre); }
  };

  [[nodiscard]] static Change ofUnitImpulse(dGeomID geom, const dContactGeom& c, double sign);
  [[nodiscard]] double partingAt(const dContactGeom& c) const;

  std::array<Change, 2> change_;  ///< by a unit impulse
  double impulse_ = 0;
};

}  // namespace odemesh::ode
