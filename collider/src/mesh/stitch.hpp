// Borders that lie on each other but do not share their vertices: seams whose coordinates were rounded in two
// ways, and edges on which vertices of the neighbour lie (T-junctions).
#pragma once

#include <cstdint>
#include <odemesh/mesh.hpp>
#include <optional>
#include <vector>

namespace odemesh {

/// A surface by its vertices, three corners a triangle, and the index of each triangle in the input.
struct StitchedSurface {
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> corners;
  std::vector<std::uint32_t> input;
};

/// False if no tolerance up to `gap` closes the surface: an edge of its border has no vertex of the border
/// beside it, within `gap`, and neither end of it is beside another. O(n log n) in the number of triangles;
/// reads vertices, corners and edges of `mesh`, as those below do.
[[nodiscard]] bool mayClose(const Mesh& mesh, double gap);

/// Vertices on the border that are closer together than `tolerance` become one of them. No edge loses more
/// than a fifth of its length, and triangles that are left without area go. Nothing if there are none. O(n
/// log n).
[[nodiscard]] std::optional<StitchedSurface> weldBorders(const Mesh& mesh, double tolerance);

/// Triangles are cut where a vertex of the border lies within `tolerance` of their side on the border, unless
/// `weldBorders` makes it one with another at the tolerance `to_weld`. No vertex moves. Nothing if there are
/// none. As above.
[[nodiscard]] std::optional<StitchedSurface> cutAtBorders(const Mesh& mesh, double tolerance, double to_weld);

}  // namespace odemesh
