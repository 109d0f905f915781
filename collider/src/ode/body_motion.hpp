// How two geoms move against each other, as their bodies say.
#pragma once

#include <odemesh/odemesh.h>

#include <optional>

#include "contact/relative_motion.hpp"

namespace odemesh::ode {

/// The motion of the first geom seen from the second one, by ODE's reckoning: before forces. None where
/// neither has a body that is enabled.
[[nodiscard]] std::optional<RelativeMotion> relativeMotionOf(dGeomID first, dGeomID second);

}  // namespace odemesh::ode
