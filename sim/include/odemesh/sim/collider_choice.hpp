// Which collider ODE uses for pairs of meshes. ODE has one table for the whole process.
#pragma once

#include <string_view>

namespace odemesh::sim {

enum class Collider {
  kOdemesh,  ///< this project's
  kOde,      ///< ODE's own
};

/// "odemesh" or "ode".
[[nodiscard]] std::string_view colliderName(Collider collider);

/// Puts `collider` in force for every world of the process; does nothing where it is already. ODE has to be
/// initialised. Throws std::runtime_error with odemesh's message if the installation fails.
void useCollider(Collider collider);

}  // namespace odemesh::sim
