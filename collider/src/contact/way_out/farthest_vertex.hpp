// The vertex of a mesh that lies farthest along a direction.
#pragma once

#include <cstdint>
#include <odemesh/mesh.hpp>
#include <odemesh/pose.hpp>

namespace odemesh {

/// The vertex of `mesh` that lies farthest along `direction` (of any length, in the mesh's frame), or no
/// lower than that by more than rounded coordinates make a way across a finely cut face uneven. Of many
/// vertices of a convex mesh, some are looked at, and from the highest a walk along edges leads up: a local
/// maximum over a convex body is that of all. About the square root of n vertices are looked at, of other
/// meshes all.
[[nodiscard]] std::uint32_t farthestVertex(const Mesh& mesh, const Vec3& direction);

}  // namespace odemesh
