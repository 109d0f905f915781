// What is checked and repaired about a mesh before anything is built on it.
#pragma once

#include <cstddef>
#include <odemesh/sim/triangle_mesh.hpp>
#include <string>

namespace odemesh::sim {

/// Coordinates beyond this (a million kilometres, in metres) and meshes less than this across are refused:
/// they come from a wrong unit, and products of them leave the range of numbers.
inline constexpr double kMaxCoordinate = 1e9;
inline constexpr double kMinExtent = 1e-9;

/// The mesh's name for messages, or "mesh" if it has none.
[[nodiscard]] std::string nameOf(const TriangleMesh& mesh);

/// Corners of the smallest box along the axes that holds the vertices that triangles use.
struct Bounds {
  Vec3 low, high;
  [[nodiscard]] Vec3 centre() const { return low + (high - low) * 0.5; }
  [[nodiscard]] double diagonal() const { return length(high - low); }
};

/// Needs a usable mesh.
[[nodiscard]] Bounds boundsOf(const TriangleMesh& mesh);

/// Throws InputError that names the mesh and the first bad element: no triangles, an index out of range, a
/// corner that is NaN, infinite or beyond kMaxCoordinate, or a mesh less than kMinExtent across. Vertices
/// that no triangle uses don't matter. O(n).
void requireUsable(const TriangleMesh& mesh);

/// A copy with one vertex for all of equal position (-0 equals 0), numbered in order of first use, and
/// without the vertices that no triangle uses and the triangles that have the same vertex twice. Needs
/// indices in range. Closedness, volume and the order of triangles stay. O(n log n).
[[nodiscard]] TriangleMesh welded(const TriangleMesh& mesh);

/// How the edges of a surface meet. In a closed one, as many triangles run along each edge one way as the
/// other; that is what volume integrals need. An edge of exactly two triangles that run along it in opposite
/// senses is the usual case; four around an edge where two parts touch are closed too, but not manifold.
struct EdgeCensus {
  std::size_t edges = 0;
  std::size_t open = 0;          ///< not matched: on a border, or with the winding of a neighbour reversed
  std::size_t non_manifold = 0;  ///< shared by more than two triangles
  [[nodiscard]] bool isClosed() const { return edges > 0 && open == 0; }
  [[nodiscard]] bool isWatertight() const { return isClosed() && non_manifold == 0; }
};

/// Counts the edges of a welded mesh (with unwelded ones every seam counts as open). O(n log n).
[[nodiscard]] EdgeCensus countEdges(const TriangleMesh& welded_mesh);

/// Volume by the divergence theorem, positive for a closed surface wound counter-clockwise seen from outside;
/// without meaning for an open one. Summed relative to the middle of the mesh, so that it stays accurate far
/// from the origin.
[[nodiscard]] double signedVolume(const TriangleMesh& mesh);

/// Reverses the winding of a closed mesh of negative volume, that is, one whose normals point inwards, and
/// says whether it did. Needs a usable, welded mesh; leaves open ones alone.
bool turnOutward(TriangleMesh& welded_mesh);

}  // namespace odemesh::sim
