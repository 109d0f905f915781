// Loads the bytes as a mesh file: the first byte chooses the format. What comes out is a usable mesh or an
// InputError.
#include <odemesh/sim/collision_mesh.hpp>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/mesh_file.hpp>

#include "require.hpp"
#include "scratch_file.hpp"

namespace {

using namespace odemesh;

void requireMesh(const sim::LoadedMesh& loaded) {
  fuzz::require(!loaded.mesh.triangles.empty(), "a loaded mesh has triangles");
  for (const auto& triangle : loaded.mesh.triangles)
    for (const auto vertex : triangle)
      fuzz::require(vertex < loaded.mesh.vertices.size(), "a loaded mesh has indices in range");
  for (const Vec3& v : loaded.mesh.vertices) fuzz::require(isFinite(v), "a loaded mesh is finite");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto extensions = sim::meshFileExtensions();
  const std::string name = "mesh." + std::string(extensions[data[0] % extensions.size()]);
  try {
    const sim::LoadedMesh loaded = sim::loadMesh(fuzz::scratchFile(name, {data + 1, size - 1}));
    requireMesh(loaded);
    static_cast<void>(sim::CollisionMesh::make(loaded.mesh));
  } catch (const sim::InputError&) {
  }
  return 0;
}
