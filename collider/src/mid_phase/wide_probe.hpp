// Are surfaces certain to meet? A look at some points of each, for the question whether two meshes intersect.
#pragma once

#include <odemesh/mesh.hpp>
#include <odemesh/pose.hpp>

namespace odemesh {

/// True if a surface has a point that is certain to lie inside the other solid, and one in the same piece
/// that is certain to lie outside of it; then triangles of both meet. False tells nothing. `b_in_a` takes
/// points of mesh B to the frame of mesh A. Constant time.
[[nodiscard]] bool areCertainToMeet(const Mesh& a, const Mesh& b, const Pose& b_in_a);

}  // namespace odemesh
