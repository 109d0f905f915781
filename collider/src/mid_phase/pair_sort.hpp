// Sorts the pairs of triangles that a search found.
#pragma once

#include <cstddef>
#include <odemesh/collide.hpp>
#include <span>
#include <vector>

namespace odemesh {

/// Ascending by the triangle of mesh 1, then by that of mesh 2. Many pairs are dealt out by digits, without a
/// comparison (radix sort): those of a search are guessed wrong too often. The working memory belongs to the
/// thread.
void sortPairs(std::span<TrianglePair> pairs);

/// The same for those from `first` on, each of which is kept once: triangles that one of the input was cut or
/// merged into may meet the same one.
void sortUnique(std::vector<TrianglePair>& pairs, std::size_t first = 0);

}  // namespace odemesh
