// What an impulse at a contact does to the bodies of its geoms.
#pragma once

#include <odemesh/odemesh.h>

#include <array>
#include <cstddef>
#include <odemesh/pose.hpp>

namespace odemesh::ode {

/// Of one body: zero of what takes no impulse.
struct BodyChange {
  Vec3 centre, velocity, spin;

  [[nodiscard]] Vec3 at(const Vec3& point) const { return velocity + cross(spin, point - centre); }
};

/// One at the place of a contact that drives its geoms apart along a unit vector.
class UnitImpulse {
 public:
  UnitImpulse(const dContactGeom& c, const Vec3& direction);

  /// Of the body of `g1` (0) or `g2` (1).
  [[nodiscard]] const BodyChange& of(std::size_t side) const { return change_[side]; }
  /// The speed of parting along `direction` that it gives at the place of a contact of the pair.
  [[nodiscard]] double partingAt(const dContactGeom& c, const Vec3& direction) const;

 private:
  std::array<BodyChange, 2> change_;
};

}  // namespace odemesh::ode
