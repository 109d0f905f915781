// Sorts the pairs of triangles that a search found.
#pragma once

#include <odemesh/collide.hpp>
#include <span>

namespace odemesh {

/// Ascending by the triangle of mesh 1, then by that of mesh 2. Many pairs are dealt out by digits, without a
/// comparison (radix sort): those of a search are guessed wrong too often. The working memory belongs to the
/// thread.
void sortPairs(std::span<TrianglePair> pairs);

}  // namespace odemesh
