// More rows for the solver where few contacts carry more than it manages.
#pragma once

#include <odemesh/pose.hpp>

#include "ode/contact_array.hpp"

namespace odemesh::ode {

/// Of two meshes, or a mesh on a plane, in the world.
struct PairExtent {
  double radius;  ///< of the smaller mesh
  Vec3 middle;    ///< of the centres
};

/// QuickStep looks at each contact once an iteration. Where chains and nets hang on one or two contacts a
/// pair and its iterations do not suffice, bodies sink into each other. Contacts of such pairs that are deep,
/// and that the last step did not part as fast as it was to, are given up to five times, the deepest seven
/// times: what is violated most is visited most, as in Southwell's relaxation ("Relaxation Methods in
/// Engineering Science", 1940).
///
/// The first `count` of `room` contacts, which all have one surface but for `motionN`, stay where they are.
/// What is added follows them, beside the contact and evenly to both sides, since solvers that factorise the
/// matrix can't do with rows that are the same; nothing is added so far from the origin that rounding makes
/// them so. Their surfaces are such that together they give way, slip and rub as the one contact would; those
/// that give way by much are left alone. `dt` is the step. Returns how many contacts there are then.
[[nodiscard]] int reinforce(const ContactArray& contacts, int count, int room, const PairExtent& pair,
                            double dt);

/// The same for dCollide, which knows neither surfaces nor the step: for two free bodies alone, as links are,
/// by the world's ERP and as if the step were one of 60 a second. What is added is as soft as the contact and
/// rubs as much as that.
[[nodiscard]] int reinforceFree(const GeomArray& contacts, int count, int room, const PairExtent& pair);

}  // namespace odemesh::ode
