// A C++ program that uses the library as a stranger would: two tetrahedra, without any geom of ODE's.
#include <odemesh/odemesh.h>

#include <array>
#include <cstdio>
#include <odemesh/collide.hpp>
#include <odemesh/mesh.hpp>
#include <string_view>

int main() {
  const std::string_view version = odemeshVersion();
  if (version != EXPECTED_VERSION) {
    std::fprintf(stderr, "odemeshVersion() says %s, the package %s\n", odemeshVersion(), EXPECTED_VERSION);
    return 1;
  }
  constexpr std::array<odemesh::Vec3, 4> kVertices = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  constexpr std::array<std::uint32_t, 12> kIndices = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  const odemesh::Mesh::Built built = odemesh::Mesh::build(kVertices, kIndices);
  if (!built.mesh || !built.mesh->topology().isWatertight()) return 1;
  const odemesh::Pose here;
  const odemesh::Pose beside{{}, {0.125, 0.125, -0.5}};
  const odemesh::Pose away{{}, {3, 0, 0}};
  if (odemesh::intersects(*built.mesh, here, *built.mesh, away)) return 1;
  std::array<odemesh::Contact, 8> contacts;
  const std::size_t count = odemesh::collide(*built.mesh, here, *built.mesh, beside, contacts);
  std::printf("C++: odemesh %s, %zu contacts\n", odemeshVersion(), count);
  return count > 0 && contacts[0].depth > 0 ? 0 : 1;
}
