// How time grows with the size of the meshes.
#pragma once

#include <string>

namespace odemesh::bench {

/// Medians at the same poses for meshes of 1,000 to `largest` triangles, and how they grow with it; a plot
/// goes to the file `svg`, if there is a name. False, with a message, if an answer is wrong or the plot can't
/// be written.
[[nodiscard]] bool showGrowth(int poses, int rounds, int largest, const std::string& svg);

}  // namespace odemesh::bench
