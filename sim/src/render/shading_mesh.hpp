// Prepares a mesh for drawing: a list of triangles with normals that are smooth over gentle edges only.
#pragma once

#include <odemesh/sim/triangle_mesh.hpp>
#include <vector>

namespace odemesh::sim::render {

/// As it lies in the vertex buffer. Three in a row make a triangle.
struct ShadingVertex {
  float position[3];  ///< relative to ShadingMesh::centre
  float normal[3];
};

struct ShadingMesh {
  std::vector<ShadingVertex> vertices;
  Vec3 centre;        ///< of the bounding box; subtracting it keeps what float can't hold of far-off meshes
  double radius = 0;  ///< greatest distance of a vertex from the centre
};

/// A corner's normal is the angle-weighted mean (Thuermer and Wuethrich 1998) of the faces around the same
/// position that are within `crease_degrees` of its own. Triangles with bad indices, coordinates that are not
/// finite or no area are left out. O(n log n + n k) for n triangles of which at most k share a corner.
[[nodiscard]] ShadingMesh shadingMesh(const TriangleMesh& mesh, double crease_degrees);

}  // namespace odemesh::sim::render
