// The same surface with fewer triangles: flat parts lose the vertices that shape nothing.
#pragma once

#include <array>
#include <cstdint>
#include <odemesh/mesh.hpp>
#include <vector>

#include "mesh/flat_partition.hpp"

namespace odemesh {

/// A triangle of the merged surface: three vertices of the mesh that was merged, and the part it lies in.
struct MergedTriangle {
  std::array<std::uint32_t, 3> corner;
  std::uint32_t part;
  std::uint32_t from;  ///< the triangle of that mesh of which one corner or more has moved, or none
};

/// Removes vertices inside of flat parts and on the straight stretches of their outlines by collapsing edges
/// (compare Hinker and Hansen 1993, geometric optimisation), as long as every triangle keeps its facing and
/// none gets much flatter than those of its part were. Contacts then depend neither in number nor in cost on
/// how finely a flat face is cut. Reads corners, edges and vertices of `mesh`, which must have no
/// non-manifold edge. Empty if nothing can be removed.
[[nodiscard]] std::vector<MergedTriangle> mergeFlatParts(const Mesh& mesh, const FlatPartition& parts);

}  // namespace odemesh
