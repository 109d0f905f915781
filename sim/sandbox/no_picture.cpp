// Stands in for picture.cpp in a build without OpenGL.
#include "picture.hpp"

namespace odemesh::sandbox {

std::string savePicture(const std::vector<const sim::World*>&, const Options&) {
  return "this build draws no pictures; install libepoxy-dev, libegl-dev and libpng-dev and build again";
}

std::string showWindow(const std::function<sim::SceneRun(sim::Collider)>&, const std::vector<std::string>&,
                       const Options&) {
  return "this build has no OpenGL";
}

std::string controlsHelp() {
  return "this build has no window";
}

}  // namespace odemesh::sandbox
