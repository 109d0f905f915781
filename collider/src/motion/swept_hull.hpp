// A closer look than that at bounds: do the hulls of two meshes' vertices stay apart on the way?
#pragma once

#include <odemesh/mesh.hpp>
#include <odemesh/pose.hpp>

namespace odemesh {

/// A mesh that moves in the frame of another one.
struct HullMotion {
  const Mesh& mesh;
  const Pose &begin, &end;
  /// Points are off the line between their begin and end by no more than share * (1 - share) / 2 of this.
  double bend;
};

/// Is there a plane, at rest in the mesh `still`, that parts it from the hull of the mesh on its way, by more
/// than `slack`? Looks along one of its faces, then for planes that part what the one before did not (Chung
/// and Wang 1996), as long as each is better.
[[nodiscard]] bool staysBeyondPlane(const HullMotion& moving, const Mesh& still, double slack);

}  // namespace odemesh
