// How a geom will move in the next step, as its body says.
#pragma once

#include <odemesh/odemesh.h>

#include <odemesh/motion.hpp>

namespace odemesh::ode {

/// The motion of a trimesh geom: of its body with the velocity that gravity and the forces set so far will
/// give it in a step of `dt`. Geoms without a body and kinematic ones are fixed, disabled bodies stand still.
[[nodiscard]] Motion motionOf(dGeomID geom, double dt);

}  // namespace odemesh::ode
