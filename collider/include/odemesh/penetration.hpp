// Consistent penetration depth (Heidelberger, Teschner, Keiser, Mueller and Gross 2004, as CS277 sketches
// it): a depth and a direction for every vertex that has sunk into the other mesh. A documented alternative
// to the contacts of odemesh/collide.hpp, to compare them with. It sees vertices only: two edges that cross,
// with no vertex inside, give nothing.
#pragma once

#include <odemesh/export.h>

#include <cstddef>
#include <cstdint>
#include <odemesh/collide.hpp>
#include <odemesh/mesh.hpp>
#include <odemesh/pose.hpp>
#include <span>
#include <vector>

namespace odemesh {

/// A vertex of one mesh inside the other one, which has to be solid. World frame, the meshes' unit of length.
struct PenetratingVertex {
  int mesh = 1;              ///< 1 or 2: whose vertex it is
  std::uint32_t vertex = 0;  ///< index into `Mesh::vertices()` of that mesh
  Vec3 position;             ///< of the vertex
  Vec3 direction;            ///< unit; moving the vertex by direction * depth takes it out
  double depth = 0;          ///< an estimate, and not negative where the surfaces are smooth
  std::uint32_t layer = 0;   ///< 0 next to the surface that was crossed, then counted inward along edges
  std::uint32_t face = 0;    ///< input index of the triangle of the other mesh that it came through
};

/// How the edges that cross faces of the other mesh are found; both give the same.
enum class CrossingSearch {
  kTrees,        ///< the bounding volume trees of the meshes
  kSpatialHash,  ///< the hash table of grid cells of Teschner et al. 2003, which needs no preprocessing
};

/// Appends the vertices of both meshes that lie inside the other one, those of mesh 1 first, in ascending
/// order. In three steps: (1) edges that cross faces tell which of their ends are inside, and the rest
/// follows along edges that cross nothing; (2) ends of such edges take depth and direction from the points
/// and normals of the crossings, weighted by the inverse square of their distance; (3) the others take them
/// from their neighbours, layer by layer. A mesh whose surface crosses nothing, though it may be wholly
/// inside, gets nothing; neither do poses that are not finite.
ODEMESH_API void penetratingVertices(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2,
                                     const Pose& pose2, std::vector<PenetratingVertex>& out,
                                     CrossingSearch search = CrossingSearch::kTrees,
                                     QueryStats* stats = nullptr);

/// The same as contacts, by the convention of odemesh/collide.hpp, up to `out.size()` of them, the deepest
/// first; depths that are not positive are left out. Returns how many.
[[nodiscard]] ODEMESH_API std::size_t collideByPenetration(const Mesh& mesh1, const Pose& pose1,
                                                           const Mesh& mesh2, const Pose& pose2,
                                                           std::span<Contact> out,
                                                           CrossingSearch search = CrossingSearch::kTrees,
                                                           QueryStats* stats = nullptr);

}  // namespace odemesh
