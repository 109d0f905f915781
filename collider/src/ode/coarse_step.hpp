// The step that dCollide is not told of.
#pragma once

namespace odemesh::ode {

/// What it reckons with, s: of the steps in use one of the longest. In shorter ones bodies part faster and
/// fall by less, so that less is taken for left undone, and less for striking, than is.
inline constexpr double kCoarseStep = 1.0 / 60;

}  // namespace odemesh::ode
