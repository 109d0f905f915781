#include <odemesh/odemesh.h>

#include <odemesh/sim/collider_choice.hpp>
#include <stdexcept>
#include <string>

namespace odemesh::sim {

std::string_view colliderName(Collider collider) {
  return collider == Collider::kOde ? "ode" : "odemesh";
}

void useCollider(Collider collider) {
  const bool wanted = collider == Collider::kOdemesh;
  if (wanted == (odemeshIsInstalled() != 0)) return;
  if (!wanted) return odemeshSuspend();  // worlds side by side change at every step
  if (const int error = odemeshInstall(); error != ODEMESH_OK)
    throw std::runtime_error(std::string("odemesh can't be installed: ") + odemeshErrorText(error));
}

}  // namespace odemesh::sim
