// What is told from two triangles alone: a contact, and their names.
#pragma once

#include <cstdint>
#include <odemesh/collide.hpp>

#include "contact/placed_mesh.hpp"

namespace odemesh {

/// For a face of each mesh that meet, in the world frame: in the middle of where they cross, along the normal
/// of the face that the other one is less deep behind, by that depth. What lies around the two is not looked
/// at, so that the depth may be less than the way out, and the direction another.
[[nodiscard]] Contact triangleContact(const MeshPair& pair, std::uint32_t face1, std::uint32_t face2);

/// What two faces that meet are called in the input: of merged ones, the triangles where they cross.
[[nodiscard]] TrianglePair inputPair(const MeshPair& pair, std::uint32_t face1, std::uint32_t face2);

}  // namespace odemesh
