// What bodies get by one contact.
#pragma once

#include <odemesh/odemesh.h>

#include <array>
#include <cstddef>

#include "ode/impulse_row.hpp"
#include "ode/vec3.hpp"

namespace odemesh::ode {

/// The least speed of parting that ODE's contact joint asks for at this speed of approach, but for what
/// corrects the depth.
[[nodiscard]] double leastParting(const dSurfaceParameters& surface, double approach);

/// Impulses at a contact, along its normal and against sliding, as ODE's contact joint has them.
class Push {
 public:
  /// `pair` is of the contact's geoms, `wanted` the least speed of parting, `dt` the step.
  Push(const PairResponse& pair, const dContact& contact, double wanted, double dt);

  /// False of a contact between bodies that take no impulse.
  [[nodiscard]] bool canAct() const { return normal_.parting > 0; }

  /// What the body of `g1` (0) or `g2` (1) has got of it.
  [[nodiscard]] BodySpeed given(std::size_t side) const;

  /// Sets right what the bodies of `g1` and `g2` do at the contact, which have these speeds. Returns by how
  /// much the greatest change of a speed of approach was.
  double act(BodySpeed& first, BodySpeed& second);

 private:
  Push(const PairResponse& pair, const dContact& contact, const std::array<Vec3, 2>& tangents, double wanted,
       double dt);

  [[nodiscard]] double mostFriction(std::size_t i) const {
    return has_normal_bound_ ? friction_[i] * normal_.impulse : friction_[i] * dt_;
  }

  double wanted_, dt_;
  ImpulseRow normal_;
  std::array<ImpulseRow, 2> sideways_;
  std::array<double, 2> friction_;  ///< coefficients, or forces where ODE takes them for such
  bool has_normal_bound_;
};

}  // namespace odemesh::ode
