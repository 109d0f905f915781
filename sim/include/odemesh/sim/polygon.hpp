// Polygons to triangles.
#pragma once

#include <cstdint>
#include <odemesh/sim/triangle_mesh.hpp>
#include <span>

namespace odemesh::sim {

/// Appends the n - 2 triangles of a polygon given by indices of `mesh.vertices`, which have to exist: as a
/// fan around its first vertex (P0, Pi, Pi+1) if it is convex, else by cutting off ears (Meisters, "Polygons
/// have ears", 1975) in the plane of its Newell normal. What has no ear, because it crosses itself, and
/// polygons of more than 1000 corners become fans too. Every edge of the polygon stays an edge of one
/// triangle, so closed surfaces stay closed. Fewer than three indices append nothing. O(n) for convex
/// polygons, at worst O(n^3), usually O(n^2), for others.
void appendPolygon(TriangleMesh& mesh, std::span<const std::uint32_t> polygon);

}  // namespace odemesh::sim
