// Answers are checked before their times count.
#pragma once

#include "bench/speed/scene.hpp"

namespace odemesh::bench {

/// Are the pairs in some of the poses as many as brute force says, or another tree with the exact test?
/// Prints what is wrong.
[[nodiscard]] bool countsAgree(const Scene& scene);

/// In some of the poses, is no vertex closer than the distance, and are the witnesses as far apart as it
/// says? Prints what is wrong.
[[nodiscard]] bool distancesAgree(const Scene& scene);

}  // namespace odemesh::bench
