// Impacts as contacts that leave the bodies so much speed that they only just meet.
#pragma once

#include <odemesh/motion.hpp>
#include <span>

#include "ode/speculative_call.hpp"

namespace odemesh::ode {

/// This thread's list for impacts of one pair, of which there are no more than `kMostImpacts`.
[[nodiscard]] std::span<Impact> roomForImpacts(int most);

/// With the caller's surface, whose bounce is not adapted yet.
void writeImpact(const Impact& impact, const SpeculativeCall& r, dContact& to);

/// Lets an impact at this speed go on by no more than contacts cope with, for bodies of this thickness,
/// however soft the surface: what goes on by more passes through what is thin, and is deep in the rest.
void stopInTime(dContact& c, double speed, double thickness, double dt);

/// Of impacts that are written from contact `begin` on, the first one on the surface bounces, and so do those
/// that come about even after that. Others would turn what comes on the side of a ball another way each.
void bounceThatComeAbout(std::span<const Impact> impacts, const SpeculativeCall& r, int begin);

/// Of `count` contacts of one surface that bounces, those at which the bodies part may bring them as near
/// again, but for what bounces take, and by no more than what discrete contacts cope with: a contact that
/// holds there what others drive back gives them energy (Smith et al., "Reflections on simultaneous impact",
/// 2012).
void yieldWhereParting(const SpeculativeCall& r, int count, double thickness);

}  // namespace odemesh::ode
