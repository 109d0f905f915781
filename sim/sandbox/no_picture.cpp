// Stands in for picture.cpp in a build without OpenGL.
#include "picture.hpp"

namespace odemesh::sandbox {

constexpr const char* kNoPictures =
    "this build draws no pictures; install libepoxy-dev, libegl-dev and libpng-dev and build again";

std::string savePicture(const std::vector<const sim::World*>&, const Options&) {
  return kNoPictures;
}

class Film::Impl {};

Film::Film(const std::vector<const sim::World*>&, const Options&) : problem_(kNoPictures) {}
Film::~Film() = default;

void Film::add(double) {}

std::size_t Film::finish() {
  return 0;
}

std::string showWindow(const std::function<sim::SceneRun(sim::Collider)>&, const std::vector<std::string>&,
                       const Options&) {
  return "this build has no OpenGL";
}

std::string showRecording(const Options&) {
  return "this build has no OpenGL";
}

DrawnRecording drawRecording(const Options&, const std::function<void(double, double)>&) {
  return {kNoPictures, 0, 0};
}

std::string controlsHelp() {
  return "this build has no window";
}

}  // namespace odemesh::sandbox
