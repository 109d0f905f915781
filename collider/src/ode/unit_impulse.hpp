// What an impulse at a contact does to the bodies of its geoms.
#pragma once

#include <odemesh/odemesh.h>

#include <array>
#include <cstddef>
#include <odemesh/motion.hpp>

namespace odemesh::ode {

/// Of one body: zero of what takes no impulse.
struct BodyChange {
  Vec3 centre, velocity, spin;

  [[nodiscard]] Vec3 at(const Vec3& point) const { return velocity + cross(spin, point - centre); }
};

/// How fast a body moves at its centre, and how it turns.
struct BodySpeed {
  Vec3 velocity, spin;
};

[[nodiscard]] inline BodySpeed speedOf(const Motion& motion) {
  return {motion.velocity, motion.spin};
}

/// `motion` at another speed.
[[nodiscard]] inline Motion atSpeed(Motion motion, const BodySpeed& speed) {
  motion.velocity = speed.velocity;
  motion.spin = speed.spin;
  return motion;
}

/// What impulses do to the body of a geom: nothing without one, or if it is kinematic.
class BodyResponse {
 public:
  explicit BodyResponse(dGeomID geom);

  [[nodiscard]] BodyChange to(const Vec3& impulse, const Vec3& place) const;
  /// Without a body, the origin.
  [[nodiscard]] const Vec3& centre() const { return centre_; }

 private:
  double mass_ = 0;  ///< none of what takes no impulse
  Vec3 centre_;
  Mat3 rotation_{}, cofactors_{};  ///< of the inertia in the body's frame, these
  double determinant_ = 0;         ///< of the same: of none, nothing turns
};

/// Of the bodies of `g1` and `g2` of a pair's contacts.
using PairResponse = std::array<BodyResponse, 2>;

/// One at the place of a contact that drives its geoms apart along a unit vector.
class UnitImpulse {
 public:
  UnitImpulse(const PairResponse& pair, const dContactGeom& c, const Vec3& direction);
  UnitImpulse(const dContactGeom& c, const Vec3& direction);

  /// Of the body of `g1` (0) or `g2` (1).
  [[nodiscard]] const BodyChange& of(std::size_t side) const { return change_[side]; }
  /// The speed of parting along `direction` that it gives at the place of a contact of the pair.
  [[nodiscard]] double partingAt(const dContactGeom& c, const Vec3& direction) const;

 private:
  std::array<BodyChange, 2> change_;
};

}  // namespace odemesh::ode
