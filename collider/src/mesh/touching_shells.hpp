// Closed shells that touch along edges, as the boxes do of which a part is put together.
#pragma once

#include <cstdint>
#include <odemesh/mesh.hpp>
#include <optional>
#include <vector>

namespace odemesh {

/// A surface whose shells have vertices of their own.
struct PartedShells {
  std::vector<Vec3> vertices;          ///< in the order of those they come from
  std::vector<std::uint32_t> corners;  ///< three a triangle
};

/// Where four triangles or more meet at an edge, those that bound the same wedge of the inside belong
/// together. If all such edges can be resolved that way, and every shell that results encloses a volume, the
/// surface bounds a solid, and this is it. Nothing for any other surface: with a border, a fin, or a shell
/// that is flat.
[[nodiscard]] std::optional<PartedShells> partTouchingShells(const Mesh& mesh);

}  // namespace odemesh
