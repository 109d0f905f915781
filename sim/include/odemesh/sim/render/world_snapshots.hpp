// From a world to what is drawn of it.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <odemesh/sim/render/snapshot.hpp>
#include <odemesh/sim/world.hpp>

namespace odemesh::sim {

/// Takes snapshots of worlds. Keeps the meshes that it makes for ODE's primitives, so one object for all
/// frames lets the renderer prepare them once. Dynamic bodies have the palette's colours in their order;
/// static ones are surroundings.
class WorldSnapshots {
 public:
  /// Bodies and the contacts of the last step. The first horizontal plane becomes the ground, others large
  /// squares.
  [[nodiscard]] Snapshot take(const World& world);

 private:
  /// Which alternative of Geometry, and its sizes.
  struct ShapeKey {
    std::size_t kind;
    std::array<double, 3> size;
    auto operator<=>(const ShapeKey&) const = default;
  };

  void addPart(const Geometry& geometry, const Pose& pose, DrawnBody body, Snapshot& out);
  const std::shared_ptr<const TriangleMesh>& shapeOf(const Geometry& geometry);

  std::map<ShapeKey, std::shared_ptr<const TriangleMesh>> shapes_;
};

}  // namespace odemesh::sim
