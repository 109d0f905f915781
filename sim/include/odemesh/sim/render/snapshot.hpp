// What there is to draw: a plain picture of a world at one moment, which no longer depends on that world.
#pragma once

#include <memory>
#include <odemesh/pose.hpp>
#include <odemesh/sim/render/colour.hpp>
#include <odemesh/sim/triangle_mesh.hpp>
#include <optional>
#include <vector>

namespace odemesh::sim {

/// One mesh at one place. The renderer keeps what it prepares of a mesh for as long as the mesh lives, so
/// snapshots of one world share them; a mesh is not to be changed meanwhile. Triangles with bad indices or
/// coordinates that are not finite are left out, and so are bodies whose pose is not finite.
struct DrawnBody {
  std::shared_ptr<const TriangleMesh> mesh;
  Pose pose;  ///< mesh -> world
  Colour colour;
  /// Ground and walls: receives shadows but casts none, shows the grid on what faces up, and does not count
  /// in frameAll.
  bool surroundings = false;
};

/// A contact, in the world frame.
struct DrawnContact {
  Vec3 position;
  Vec3 normal;       ///< of unit length
  double depth = 0;  ///< gives the colour
};

/// A horizontal plane without end, z up.
struct DrawnGround {
  double height = 0;
  Colour colour = groundColour();
};

struct Snapshot {
  std::vector<DrawnBody> bodies;
  std::vector<DrawnContact> contacts;
  std::optional<DrawnGround> ground;
};

}  // namespace odemesh::sim
