// How far convex bodies have to move until they are free of each other. About the square root of n for n
// vertices, some times over.
#pragma once

#include <optional>

#include "contact/placed_mesh.hpp"

namespace odemesh {

/// How far mesh 1, convex as mesh 2 is, has to move along the unit vector `direction` until a plane across it
/// parts them: never less than what frees them, and much more where far ends lie beside each other.
[[nodiscard]] double planeExit(const MeshPair& pair, const Vec3& direction);

/// Where a ray leaves the Minkowski difference of two bodies.
struct RayExit {
  double depth = 0;     ///< a length
  double blown_up = 0;  ///< the same if the plane by which it leaves is moved out first
};

/// How far mesh 1 has to move along the unit vector `direction` until it is free of mesh 2, by portal
/// refinement (Snethen, "XenoCollide", Game Programming Gems 7, 2008), and if planes are moved out by
/// `blown_up`; past another plane, it may leave a little sooner. None where no line along the direction meets
/// both by more than rounding.
[[nodiscard]] std::optional<RayExit> rayExit(const MeshPair& pair, const Vec3& direction, double blown_up);

/// Is mesh 1 free where it is moved by `length` along the unit vector `direction`? None where `rayExit` has
/// none, or rounding leaves it open.
[[nodiscard]] std::optional<bool> isFreeAt(const MeshPair& pair, const Vec3& direction, double length);

}  // namespace odemesh
