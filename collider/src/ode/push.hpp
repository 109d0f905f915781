// What bodies get by one contact.
#pragma once

#include <odemesh/odemesh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "ode/unit_impulse.hpp"
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
  [[nodiscard]] const Vec3& place() const { return place_; }

  /// What the body of `g1` (0) or `g2` (1) has got of it.
  [[nodiscard]] BodyChange given(std::size_t side) const;

  /// Sets right what the bodies do at the contact: `approach_along(direction)` is the speed of approach at
  /// its place, `change(side, by_unit, impulse)` gives an impulse to the body of `g1` (0) or `g2` (1).
  /// Returns by how much the greatest change of these speeds was.
  template <typename ApproachAlong, typename Change>
  double act(const ApproachAlong& approach_along, const Change& change) {
    constexpr double kNoBound = std::numeric_limits<double>::infinity();
    double changed = act(normal_, wanted_, {0, kNoBound}, approach_along, change);
    for (std::size_t i = 0; i < 2; ++i)
      if (const double most = mostFriction(i); most > 0)
        changed = std::max(changed, act(sideways_[i], 0, {-most, most}, approach_along, change));
    return changed;
  }

 private:
  Push(const PairResponse& pair, const dContact& contact, const std::array<Vec3, 2>& tangents, double wanted,
       double dt);

  /// What the bodies get along one direction.
  struct Row {
    Vec3 direction;
    UnitImpulse unit;
    double parting;  ///< the speed that a unit impulse gives
    double impulse = 0;

    Row(const PairResponse& pair, const dContactGeom& c, const Vec3& along);
  };
  struct Bounds {
    double least, most;
  };

  template <typename ApproachAlong, typename Change>
  static double act(Row& row, double wanted, const Bounds& bounds, const ApproachAlong& approach_along,
                    const Change& change) {
    const double missing = (wanted + approach_along(row.direction)) / row.parting;
    const double more = std::clamp(row.impulse + missing, bounds.least, bounds.most) - row.impulse;
    row.impulse += more;
    for (std::size_t side = 0; side < 2; ++side) change(side, row.unit.of(side), more);
    return std::abs(more) * row.parting;
  }
  [[nodiscard]] double mostFriction(std::size_t i) const {
    return has_normal_bound_ ? friction_[i] * normal_.impulse : friction_[i] * dt_;
  }

  Vec3 place_;
  double wanted_, dt_;
  Row normal_;
  std::array<Row, 2> sideways_;
  std::array<double, 2> friction_;  ///< coefficients, or forces where ODE takes them for such
  bool has_normal_bound_;
};

}  // namespace odemesh::ode
