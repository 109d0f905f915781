#include "viewer/framing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "viewer/picking.hpp"

namespace odemesh::viewer {
namespace {

std::vector<const sim::Body*> movingBodies(const sim::World& world) {
  std::vector<const sim::Body*> out;
  for (std::size_t i = 0; i < world.bodyCount(); ++i)
    if (const sim::Body& body = world.body(i); !body.isStatic() && body.isFinite()) out.push_back(&body);
  return out;
}

}  // namespace

Extent extentOf(const sim::World& world) {
  const std::vector<const sim::Body*> bodies = movingBodies(world);
  if (bodies.empty()) return {};
  Extent out{{}, 0};
  for (const sim::Body* body : bodies) out.centre += body->centreOfMass();
  out.centre = out.centre / static_cast<double>(bodies.size());
  for (const sim::Body* body : bodies)
    out.radius = std::max(out.radius, length(body->centreOfMass() - out.centre) + body->boundingRadius());
  return out;
}

sim::Snapshot withWayDown(sim::Snapshot snapshot, const sim::World& world) {
  const std::optional<Vec3> floor = meetSurroundings(snapshot, {extentOf(world).centre, {0, 0, -1}});
  double lowest = std::numeric_limits<double>::infinity();
  for (const sim::Body* body : movingBodies(world)) lowest = std::min(lowest, -body->support({0, 0, -1}));
  if (!floor || !std::isfinite(lowest)) return snapshot;
  const std::vector<sim::DrawnBody> at_start = snapshot.bodies;
  for (sim::DrawnBody body : at_start) {
    body.pose.translation.z -= std::max(0.0, lowest - floor->z);
    snapshot.bodies.push_back(body);
  }
  return snapshot;
}

}  // namespace odemesh::viewer
