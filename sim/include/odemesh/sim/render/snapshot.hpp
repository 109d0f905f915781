// What there is to draw: a plain picture of a world at one moment, which no longer depends on that world.
#pragma once

#include <cstddef>
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
  std::size_t world_body = 0;  ///< index of the body in its world
};

/// A contact, in the world frame.
struct DrawnContact {
  Vec3 position;
  Vec3 normal;       ///< of unit length
  double depth = 0;  ///< gives the colour
};

/// A line or a triangle laid over the picture, in the world frame: faint where a body hides it, without light
/// and shadow.
struct DrawnLine {
  Vec3 end[2];
  Colour colour;
};
struct DrawnTriangle {
  Vec3 corner[3];
  Colour colour;
};

/// A horizontal plane without end, z up.
struct DrawnGround {
  double height = 0;
  Colour colour = groundColour();
};

struct Snapshot {
  std::vector<DrawnBody> bodies;
  std::vector<DrawnContact> contacts;
  std::vector<DrawnLine> lines;
  std::vector<DrawnTriangle> triangles;
  std::optional<DrawnGround> ground;
};

}  // namespace odemesh::sim
