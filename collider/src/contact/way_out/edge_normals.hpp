// The common normals of edges that cross: where an edge lies on a ridge, bodies part along one.
#pragma once

#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// Appends to `scratch.directions` the normals that edges of both meshes have in common which pass through
/// the other body, turned towards `outwards`. With the normals of faces they are all directions along which
/// convex bodies may part first (Gottschalk, Lin and Manocha 1996). Not where a single edge crosses a single
/// one: there the area vector of the contour is their normal. Nor where edges are many, as on what is curved.
void addEdgeNormals(const MeshPair& pair, const Vec3& outwards, ContactScratch& scratch);

}  // namespace odemesh
