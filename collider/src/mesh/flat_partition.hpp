// Which triangles of a surface lie in one plane.
#pragma once

#include <cstdint>
#include <odemesh/mesh.hpp>
#include <vector>

namespace odemesh {

/// The flat parts of a surface: sets of triangles that are connected by edges and lie in one plane but for
/// the rounding of their coordinates.
struct FlatPartition {
  std::vector<std::uint32_t> part_of;  ///< by triangle
  std::vector<Vec3> normals;           ///< by part, unit
};

/// Could any vertex of `mesh` lie inside a flat part or on a straight crease? A look at each edge tells most
/// curved meshes apart.
[[nodiscard]] bool mayHaveFlatParts(const Mesh& mesh);

/// Grows parts from the largest triangles, refitting the plane as they grow (region growing; the area vector
/// of a part depends on its outline alone, and so does its plane). Reads corners, normals and edges of
/// `mesh`. O(n log n).
[[nodiscard]] FlatPartition partitionFlat(const Mesh& mesh);

/// How far a vertex may lie from the plane of its part, or from the line of its crease.
[[nodiscard]] double flatnessOf(const Mesh& mesh);

}  // namespace odemesh
