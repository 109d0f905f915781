// The judgement that most scenes share: bodies hold together, keep apart and come to rest.
#pragma once

#include <limits>
#include <odemesh/sim/scenes/scene.hpp>

#include "scenes/builder.hpp"
#include "scenes/watch.hpp"

namespace odemesh::sim {

/// Limits at unit scale; infinite ones are not looked at.
struct HoldLimits {
  double radius = 1;           ///< m, of the smaller bodies: overlaps are a share of it
  double overlap_percent = 1;  ///< of `radius`, at the end
  double speed = 0.1;          ///< m/s, root mean square over the bodies, at the end
  double floor = -std::numeric_limits<double>::infinity();  ///< m; bodies whose centre is below have fallen
  double energy_percent = 0.1;  ///< gain, of what the bodies gain in a fall of one metre
};

/// Finishes the builder's run and judges it by `limits`. Further figures can be appended to what its judge
/// gives.
[[nodiscard]] SceneRun judgedHolding(SceneBuilder& builder, double duration, const HoldLimits& limits);

/// Limits at unit scale on what the bodies do from the first second on.
struct StillLimits {
  double drift = 0.1;           ///< mm, from where they were at the start
  double turn = 0.01;           ///< degrees
  double primitive_factor = 0;  ///< as in `Figure`
};

/// Finishes the builder's run and judges whether its bodies stay where they are.
[[nodiscard]] SceneRun judgedStill(SceneBuilder& builder, double duration, const StillLimits& limits = {});

/// Appends the figures that `more` gives to the run's own, and `observe` to what it observes.
void addFigures(SceneRun& run, std::function<std::vector<Figure>(World&)> more,
                std::function<void(const World&)> observe = {});

/// Appends the longest step between links, in shares of the `pitch` at which they touch. A link that has gone
/// through another is a bar of radius `tube` farther away, and fails.
void addLongestStep(SceneRun& run, const LinkWatch& links, double pitch, double tube);

}  // namespace odemesh::sim
