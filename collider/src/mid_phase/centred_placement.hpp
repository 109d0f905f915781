// Mesh 2 placed in the frame of mesh 1, both about their own centres, and how much rounding that brings.
#pragma once

#include "constants.hpp"
#include "contact/placed_mesh.hpp"

namespace odemesh {

/// Takes centred points of mesh 2 to the query's frame, the centred one of mesh 1.
struct CentredPlacement {
  explicit CentredPlacement(const MeshPair& pair)
      : rotation(pair[1].pose().rotation), offset(pair[1].centre()) {
    const Mesh& mesh1 = pair[0].mesh();
    const Mesh& mesh2 = pair[1].mesh();
    slack = kBoxSlack * (mesh1.sphereRadius() + mesh2.sphereRadius() + length(mesh1.sphereCentre()) +
                         length(mesh2.sphereCentre()) + length(pair[1].pose().translation) + length(offset));
  }
  [[nodiscard]] Vec3 operator()(const Vec3& p) const { return rotation * p + offset; }

  Mat3 rotation;
  Vec3 offset;
  double slack = 0;  ///< a length above the rounding of corners placed in the frame
};

}  // namespace odemesh
