// One contact where a small patch strikes.
#pragma once

#include "ode/contact_array.hpp"

namespace odemesh::ode {

/// QuickStep looks at one contact after the other, and its iterations do not tell contacts apart that lie
/// close to each other: where bodies strike with a small patch of such, they part by some percents too fast,
/// so that what bounces gains energy. Through one point, that in which the impulses act together that part
/// the bodies, it is right after one look. In the place of contacts of one normal that lie within a small
/// part of `radius`, that of the smaller mesh, of each other, and all of which strike, one contact is left
/// there, as deep as the deepest. What rests keeps all: a body strikes if it has fallen some way, of its size
/// and of steps of `dt`. Sweeps of Gauss and Seidel over the `count` contacts. Returns how many there are
/// then.
[[nodiscard]] int strikeInPoints(const GeomArray& contacts, int count, double radius, double dt);

/// The same for dCollide, which knows no step: as if it were one of 60 a second. Nor does it know whether
/// anything bounces: where bodies strike at one contact, others at which they part as fast, and come apart
/// soon, are left out. Held there while they are driven back, they would gain energy.
[[nodiscard]] int strikeInPoints(const GeomArray& contacts, int count, double radius);

}  // namespace odemesh::ode
