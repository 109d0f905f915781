// Closed shells that touch at vertices or along edges, as the boxes do of which a part is put together.
#pragma once

#include <cstdint>
#include <odemesh/mesh.hpp>
#include <optional>
#include <vector>

namespace odemesh {

/// A surface whose shells have vertices of their own.
struct PartedShells {
  std::vector<Vec3> vertices;          ///< in the order of those they come from, then new ones
  std::vector<std::uint32_t> corners;  ///< three a triangle
  std::vector<std::uint32_t> from;     ///< by triangle: the one that it is, or is a piece of
};

/// Are there vertices around which the triangles of a watertight mesh do not go in one turn? There, shells
/// meet that share nothing else, or parts of one. O(n).
[[nodiscard]] bool touchesAtVertices(const Mesh& mesh);

/// Shells that meet at a vertex alone have each their own. Where four triangles or more meet at an edge,
/// those that bound the same wedge of the inside belong together; where their shells share both ends of it,
/// the wedge gets a vertex of its own in the middle. If all such edges can be resolved that way, and every
/// shell that results encloses a volume, the surface bounds a solid, and this is it. Nothing for any other
/// surface: with a border, a fin, or a shell that is flat.
[[nodiscard]] std::optional<PartedShells> partTouchingShells(const Mesh& mesh);

}  // namespace odemesh
