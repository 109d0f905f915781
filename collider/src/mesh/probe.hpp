// What tells at a glance that surfaces meet which are deep in each other: balls inside a solid, and points of
// a surface. A point in a ball of another solid lies inside of that solid; if the surface goes on to a point
// outside of it, it passes through the other surface on the way.
#pragma once

#include <cstddef>

namespace odemesh {

class Mesh;

/// Coordinates are in the frame and the unit of the mesh's tree. Balls after Ma, Bae and Choi 2012, and that
/// they tell solids to meet after Weller and Zachmann 2009.
struct alignas(32) Probe {
  /// Of smaller meshes, a search costs as little.
  static constexpr std::size_t kFewTriangles = 256;
  static constexpr std::size_t kPoints = 32;
  static constexpr std::size_t kBalls = 16;

  /// Some dozen rays and searches for the closest point.
  explicit Probe(const Mesh& mesh);

  float point[3][kPoints];                ///< vertices of the largest piece of the surface, spread over it
  float centre[3][kBalls]{};              ///< of balls inside the solid that stay clear of its surface
  float radius[kBalls]{};                 ///< 0 where there are no more; in descending order
  float balls_low[3]{}, balls_high[3]{};  ///< of all balls
  float low[3], high[3];                  ///< of the surface, or a little more

 private:
  void findPoints(const Mesh& mesh);
  void findBalls(const Mesh& mesh);
};

}  // namespace odemesh
