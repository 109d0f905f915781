// What the bodies fall on.
#pragma once

#include <cstddef>
#include <odemesh/sim/body.hpp>
#include <string>
#include <vector>

namespace odemesh::sandbox {

/// What is going to fall, as far as the ground's size depends on it. Metres.
struct Load {
  double column_radius;
  double height;       ///< that the highest body falls from
  double body_radius;  ///< of the largest
  std::size_t count;
  std::string largest;  ///< where that one is from
};

struct Ground {
  sim::BodySpec body;
  double level = 0;  ///< z of the surface that bodies come to rest on, or of the lowest point of a mesh file
  double top = 0;    ///< z above which there is nothing of the ground
  Vec3 centre;       ///< bodies fall around the vertical line through it
  double reach = 0;  ///< from the centre to the farthest edge
  std::vector<std::string> warnings;
};

/// "plane" (ODE's, without end), "box" (a mesh of 12 triangles, its top at z = 0), "bowl" (a mesh, its lowest
/// inner point at the origin) or a mesh file in its own frame. Throws InputError for a file that can't be
/// used, and for bodies that are too large or small for a ground.
[[nodiscard]] Ground makeGround(const std::string& name, const Load& load);

}  // namespace odemesh::sandbox
