// How far bodies are inside each other, measured without any collider.
#pragma once

#include <odemesh/sim/world.hpp>

namespace odemesh::sim {

/// The greatest distance, in metres of the world, from a sample point of one body's surface that lies inside
/// the other to the other's surface; 0 if they are apart. Samples are the vertices, the middles of the
/// triangles and three points on each edge; inside is what has a winding number above a half (Jacobson,
/// Kavan and Sorkine-Hornung, "Robust inside-outside segmentation using generalized winding numbers", 2013).
/// Primitives count as fine meshes of themselves, planes as half spaces. O(n^2).
[[nodiscard]] double overlapDepth(const Body& a, const Body& b);

/// The greatest of any two bodies of the world, statics with each other left out.
[[nodiscard]] double greatestOverlap(const World& world);

}  // namespace odemesh::sim
