// Impacts of what the contacts of a pair leave of its motions.
#pragma once

#include <odemesh/motion.hpp>
#include <span>

#include "motion/impacts_behind.hpp"
#include "ode/deflected.hpp"
#include "ode/impact_contacts.hpp"

namespace odemesh::ode {

/// What the first `count` contacts stop, in this thread's list.
[[nodiscard]] Front frontOf(const SpeculativeCall& r, int count);

/// Do the first `count` contacts stop what is brisk, for bodies of this thickness?
[[nodiscard]] bool doStop(const SpeculativeCall& r, int count, double thickness);

/// Writes impacts of the motions that `count` contacts leave behind these, for bodies of this thickness.
/// Where ODE sees no approach before the step, it bounces nothing: what is to bounce sinks in by as much as
/// contacts cope with, and bounces in the next step. Returns how many contacts there are then.
[[nodiscard]] int append(const SpeculativeCall& r, int count, std::span<const Impact> impacts,
                         const Deflected& deflected, double thickness);

/// Adds the impacts that `find` finds of the motions that `count` contacts leave. Returns how many contacts
/// there are then.
template <typename Find>
[[nodiscard]] int addBehind(const SpeculativeCall& r, int count, Deflection& deflection, double thickness,
                            const Find& find) {
  const Deflected& deflected = deflection.by(count);
  const std::span<Impact> more = roomForImpacts(r.room - count);
  return append(r, count, more.first(find(frontOf(r, count), deflected, more)), deflected, thickness);
}

/// What contacts stop turns about them, and its other end comes down within the same step: adds the impacts
/// that `find` finds of the motions that `count` contacts leave. Returns how many contacts there are then.
template <typename Find>
[[nodiscard]] int addOfDeflected(const SpeculativeCall& r, int count, Deflection& deflection,
                                 double thickness, const Find& find) {
  if (count == r.room || !doStop(r, count, thickness)) return count;
  return addBehind(r, count, deflection, thickness, find);
}

/// Whatever slipped through: adds the impacts of meshes that would be deep in each other for all `count`
/// contacts, and then for these, some times over. Returns how many contacts there are then.
[[nodiscard]] int addOfOverlaps(const SpeculativeCall& r, int count, Deflection& deflection,
                                const Mesh& mesh1, const Mesh& mesh2);

}  // namespace odemesh::ode
