#include "picture.hpp"

#include <odemesh/sim/render/render_error.hpp>
#include <odemesh/sim/render/screenshot.hpp>

namespace odemesh::sandbox {

std::string savePicture(const sim::World& world, const std::string& file) {
  try {
    sim::saveScreenshot(world, file);
  } catch (const sim::RenderError& error) {
    return error.what();
  }
  return "";
}

}  // namespace odemesh::sandbox
