// What bodies get by one contact along one direction.
#pragma once

#include <odemesh/odemesh.h>

#include <array>

#include "ode/unit_impulse.hpp"

namespace odemesh::ode {

/// An impulse at the place of a contact, and what it does to the bodies of the contact's geoms.
struct ImpulseRow {
  Vec3 direction;
  std::array<Vec3, 2> lever;  ///< the direction's moment about the bodies' centres
  UnitImpulse unit;
  double parting;  ///< the speed that a unit impulse gives
  double impulse = 0;

  ImpulseRow(const PairResponse& pair, const dContactGeom& c, const Vec3& along);

  /// How fast bodies of these speeds approach there.
  [[nodiscard]] double approachOf(const BodySpeed& first, const BodySpeed& second) const;
  /// What bodies get by an impulse there.
  void give(double more, BodySpeed& first, BodySpeed& second) const;
  void add(double more, BodySpeed& first, BodySpeed& second) {
    impulse += more;
    give(more, first, second);
  }
  /// Sets right the speed of approach, of which `wanted` is the negative, by an impulse within bounds.
  /// Returns by how much that changed.
  double act(double wanted, double least, double most, BodySpeed& first, BodySpeed& second);
};

}  // namespace odemesh::ode
