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

/// One along the normal of a contact, which drives its geoms apart.
class UnitImpulse {
 public:
  explicit UnitImpulse(const dContactGeom& c);

  /// Of the body of `g1` (0) or `g2` (1).
  [[nodiscard]] const BodyChange& of(std::size_t side) const { return change_[side]; }
  /// The speed of parting that it gives at a contact of the pair.
  [[nodiscard]] double partingAt(const dContactGeom& c) const;

 private:
  std::array<BodyChange, 2> change_;
};

}  // namespace odemesh::ode
