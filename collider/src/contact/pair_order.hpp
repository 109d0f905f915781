// Which of two meshes is worked on as the first: answers do not depend on which one a caller names first.
#pragma once

#include <odemesh/mesh.hpp>
#include <odemesh/pose.hpp>

#include "contact/placed_mesh.hpp"

namespace odemesh {

/// Two meshes in the order in which they are worked on.
struct OrderedPair {
  MeshPair pair;
  bool is_reversed;  ///< against the order of the caller
};

/// How much farther `mesh2` lies along a direction of mesh 1 than mesh 1 along the same one of mesh 2: the
/// negative of that for swapped arguments.
[[nodiscard]] inline double aheadness(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2,
                                      const Pose& pose2) {
  constexpr Vec3 kAskew{0.36, 0.51, 0.78};  // not one that many shapes are symmetric about
  const Vec3 to2 = pose2.apply(mesh2.sphereCentre()) - pose1.apply(mesh1.sphereCentre());
  return dot(pose1.rotate(kAskew), to2) + dot(pose2.rotate(kAskew), to2);
}

/// The larger mesh is the first; of meshes that are as large, the one with more triangles: neither depends on
/// the order of triangles. Else the poses decide. Where each mesh sees the other in the same place the
/// order of the caller remains, and that of sheets: a house of cards without thickness stands longer so.
[[nodiscard]] inline bool areInReverse(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2,
                                       const Pose& pose2) {
  if (mesh1.sphereRadius() != mesh2.sphereRadius()) return mesh1.sphereRadius() < mesh2.sphereRadius();
  if (mesh1.triangleCount() != mesh2.triangleCount()) return mesh1.triangleCount() < mesh2.triangleCount();
  if (!mesh1.isSolid() || !mesh2.isSolid()) return false;
  constexpr double kNoise = 1e-6;  // by which meshes at rest may tremble
  return aheadness(mesh1, pose1, mesh2, pose2) < -kNoise * mesh1.sphereRadius();
}

[[nodiscard]] inline OrderedPair orderedPair(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2,
                                             const Pose& pose2, double margin = 0) {
  const bool is_reversed = areInReverse(mesh1, pose1, mesh2, pose2);
  return {is_reversed ? MeshPair(mesh2, pose2, mesh1, pose1, margin)
                      : MeshPair(mesh1, pose1, mesh2, pose2, margin),
          is_reversed};
}

}  // namespace odemesh
