// What is drawn of a world: its bodies, and whatever is switched on to be laid over them.
#pragma once

#include <odemesh/sim/render/renderer.hpp>
#include <odemesh/sim/render/world_snapshots.hpp>

#include "viewer/overlay.hpp"

namespace odemesh::viewer {

struct ViewOptions {
  sim::RenderOptions render;
  bool intersections = false;
  bool bounding_volumes = false;
  int level = 2;  ///< of the bounding volumes below the root of their tree, 0 to kDeepestLevel
  bool panels = true;
};
inline constexpr int kDeepestLevel = 20;

/// Keeps what it has prepared of meshes, so that one object serves for all frames.
class Artist {
 public:
  [[nodiscard]] sim::Snapshot snapshotOf(const sim::World& world, const ViewOptions& view);
  /// The bodies alone.
  [[nodiscard]] sim::Snapshot bodiesOf(const sim::World& world) { return snapshots_.take(world); }

 private:
  sim::WorldSnapshots snapshots_;
  Overlay overlay_;
};

}  // namespace odemesh::viewer
