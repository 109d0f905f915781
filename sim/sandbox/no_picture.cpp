// Stands in for picture.cpp in a build without OpenGL.
#include "picture.hpp"

namespace odemesh::sandbox {

std::string savePicture(const sim::World&, const std::string&) {
  return "this build draws no pictures; install libepoxy-dev, libegl-dev and libpng-dev and build again";
}

}  // namespace odemesh::sandbox
