// Stands in for sdf_world.cpp in a build without libsdformat.
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/world_file.hpp>

namespace odemesh::sim {

bool canLoadWorldFiles() {
  return false;
}

WorldDescription loadWorldFile(const std::filesystem::path& path, const WorldFileOptions&) {
  throw InputError(
      path.string() +
      ": this build reads no worlds; install libsdformat-dev and build again with -DODEMESH_SDF=ON");
}

}  // namespace odemesh::sim
