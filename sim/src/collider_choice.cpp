#include <odemesh/sim/collider_choice.hpp>
#include <stdexcept>

namespace odemesh::sim {

std::string_view colliderName(Collider collider) {
  return collider == Collider::kOde ? "ode" : "odemesh";
}

void useCollider(Collider collider) {
  if (collider == Collider::kOdemesh)
    throw std::runtime_error("this build has no odemesh collider yet; use ODE's own (--collider ode)");
}

}  // namespace odemesh::sim
