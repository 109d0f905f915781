// What a pair need not be searched for: corners that stand already.
#pragma once

#include <odemesh/collide.hpp>

#include "ode/contact_array.hpp"

namespace odemesh::ode {

/// Has each corner of the smaller mesh, that of `g1` (side 0) or `g2` (side 1) of the contacts, a contact,
/// but for those that are more than `margin` above any face that is met? The `count` contacts look the same
/// way. What hovers besides lies between those then, where nothing can tip. O(count) for each vertex; false
/// of meshes of many.
[[nodiscard]] bool doAllCornersStand(const GeomArray& contacts, int count, std::size_t side, const Mesh& mesh,
                                     const Pose& pose, double margin);

}  // namespace odemesh::ode
