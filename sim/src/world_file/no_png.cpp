// Stands in for grey_image_png.cpp in a build without libpng.
#include <odemesh/sim/input_error.hpp>

#include "heightmap.hpp"

namespace odemesh::sim {

bool canReadImages() {
  return false;
}

GreyImage readGreyImage(const std::filesystem::path& file) {
  throw InputError(file.string() + ": this build reads no images; install libpng-dev and build again");
}

}  // namespace odemesh::sim
