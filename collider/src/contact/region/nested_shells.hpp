// Open shells that lie in each other, as cups in a stack do.
#pragma once

#include <optional>

#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// Does this mesh wrap a volume that has openings, by one surface with two sides?
[[nodiscard]] inline bool isOpenShell(const Mesh& mesh) {
  const MeshTopology& topology = mesh.topology();
  return mesh.isShell() && topology.border_edges > 0 && !topology.is_one_sided &&
         topology.non_manifold_edges == 0 && mesh.componentVertices().size() == 1;
}

/// Which of two open shells lies in the other? None unless they are wound the same way where their surfaces
/// meet, and open to the same side. Then the inner one is the smaller one, or of like ones that which is
/// farther out of the opening: surfaces that touch all over tell nothing themselves.
[[nodiscard]] std::optional<int> innerShell(const MeshPair& pair, const ContactScratch& scratch);

}  // namespace odemesh
