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

/// Which vertices of `mesh` may lie inside a flat part or on a straight crease, by a look at each edge; empty
/// if none does, as on most curved meshes. All that do are among them.
[[nodiscard]] std::vector<bool> looseVertices(const Mesh& mesh);

/// Grows parts from the largest triangles at `loose` vertices, refitting the plane as they grow (region
/// growing; the area vector of a part depends on its outline alone, and so does its plane). Each of the other
/// triangles is a part of its own. Reads corners, normals and edges of `mesh`. O(n + m log m) for m triangles
/// at such vertices.
[[nodiscard]] FlatPartition partitionFlat(const Mesh& mesh, const std::vector<bool>& loose);

/// Does vertex `v` lie between `a` and `b`, no farther than `flatness` from the line through both?
[[nodiscard]] bool isBetween(const Mesh& mesh, std::uint32_t v, std::uint32_t a, std::uint32_t b,
                             double flatness);

/// How far a vertex may lie from the plane of its part, or from the line of its crease.
[[nodiscard]] double flatnessOf(const Mesh& mesh);

}  // namespace odemesh
