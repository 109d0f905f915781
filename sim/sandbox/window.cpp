#include "window.hpp"

#include "viewer/caption.hpp"
#include "viewer/window.hpp"

namespace odemesh::sandbox {

std::string openWindow(viewer::App& app, const Options& options) {
  return viewer::showWindow(app, {options.size.width, options.size.height, options.screenshot, options.script,
                                  options.quality == "auto", options.frames});
}

void addCaption(sim::Collider collider, const sim::Viewport& column, sim::Image& picture) {
  viewer::addCaption(collider, column, picture);
}

}  // namespace odemesh::sandbox
