#include "viewer/artist.hpp"

namespace odemesh::viewer {

sim::Snapshot Artist::snapshotOf(const sim::World& world, const ViewOptions& view) {
  sim::Snapshot out = snapshots_.take(world);
  if (view.intersections) overlay_.addIntersections(world, out);
  if (view.bounding_volumes) overlay_.addBoundingVolumes(world, static_cast<std::size_t>(view.level), out);
  return out;
}

}  // namespace odemesh::viewer
