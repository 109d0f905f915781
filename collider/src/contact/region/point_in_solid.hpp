// Is a point inside a closed mesh?
#pragma once

#include "contact/placed_mesh.hpp"

namespace odemesh {

class PointInSolid {
 public:
  explicit PointInSolid(const PlacedMesh& solid) : solid_(solid), to_mesh_(solid.pose().inverse()) {}

  /// How often the surface runs around, by a ray from `point` (in the contact frame). A ray that comes near
  /// an edge is dropped for another in a different direction; after a few, the majority decides.
  [[nodiscard]] bool contains(const Vec3& point) const;

 private:
  PlacedMesh solid_;
  Pose to_mesh_;
};

}  // namespace odemesh
