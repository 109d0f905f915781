// Where to look at the start of a scene.
#pragma once

#include <odemesh/sim/render/snapshot.hpp>
#include <odemesh/sim/world.hpp>

namespace odemesh::viewer {

/// A sphere around the dynamic bodies of a world that are where a number says.
struct Extent {
  Vec3 centre;
  double radius = 1;
};
[[nodiscard]] Extent extentOf(const sim::World& world);

/// Depth of the reddest contact in pictures of a scene of that extent.
[[nodiscard]] inline double reddestDepth(const Extent& extent) {
  return 2e-3 * extent.radius;
}

/// `snapshot`, which is of `world`, with each body a second time: lowered by the way down to the surroundings
/// below the middle of the scene. A camera that frames the result sees the fall.
[[nodiscard]] sim::Snapshot withWayDown(sim::Snapshot snapshot, const sim::World& world);

}  // namespace odemesh::viewer
