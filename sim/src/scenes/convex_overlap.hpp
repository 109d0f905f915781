// How deep convex meshes are in each other, exactly.
#pragma once

#include <odemesh/sim/geometry.hpp>
#include <vector>

namespace odemesh::sim {

/// A convex mesh and the directions along which it may be held apart from another one: the normals of its
/// faces, and the directions of its edges.
class ConvexSolid {
 public:
  explicit ConvexSolid(const MeshGeometry& geometry);

  /// The least distance by which the two have to move against each other to come apart; 0 if they are. By
  /// separating axes (Gottschalk, Lin and Manocha, "OBBTree", 1996).
  [[nodiscard]] static double overlap(const ConvexSolid& a, const Pose& pose_a, const ConvexSolid& b,
                                      const Pose& pose_b);

 private:
  MeshGeometry geometry_;
  std::vector<Vec3> normals_, edges_;  ///< unit length, no two of them along one line
};

}  // namespace odemesh::sim
