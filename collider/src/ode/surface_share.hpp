// How much a contact gives way under load, and contacts that do so by less, or together as one.
#pragma once

#include <ode/ode.h>

namespace odemesh::ode {

/// Does a contact leave more than a twentieth of an approach in a step of `dt`, by its constraint force
/// mixing? An impulse is worth the speed that it takes away, by the bodies' mobility, and the speed that it
/// leaves. That mixing is the surface's own or, if it has none, the world's.
[[nodiscard]] bool givesWay(const dContact& c, double dt);

/// Makes a contact no softer than that it leaves this share of an approach.
void limitYield(dContact& c, double most, double dt);

/// The surface of each of `rows` contacts that stand in the place of `c`, with equal parts of its load:
/// springs side by side add up, so each is softer, and slips more; what limits friction and rolling is shared
/// out where it is a force, and not in proportion to the load.
[[nodiscard]] dSurfaceParameters shareOf(const dContact& c, int rows, double dt);

}  // namespace odemesh::ode
