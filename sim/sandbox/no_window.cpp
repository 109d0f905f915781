// Stands in for window.cpp in a build without GLFW or Dear ImGui.
#include "window.hpp"

namespace odemesh::sandbox {

std::string openWindow(viewer::App&, const Options&) {
  return "this build has no window; install libglfw3-dev and libimgui-dev and build again";
}

void addCaption(sim::Collider, const sim::Viewport&, sim::Image&) {}

}  // namespace odemesh::sandbox
