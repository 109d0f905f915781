#include "picture.hpp"

#include <odemesh/sim/render/offscreen_context.hpp>
#include <odemesh/sim/render/render_error.hpp>
#include <odemesh/sim/render/screenshot.hpp>
#include <odemesh/sim/render/world_snapshots.hpp>

#include "viewer/halves.hpp"
#include "window.hpp"

namespace odemesh::sandbox {
namespace {

sim::Image drawSideBySide(const std::vector<const sim::World*>& worlds, PictureSize size) {
  const sim::OffscreenContext context;
  sim::Renderer renderer;
  sim::WorldSnapshots snapshots;
  const auto columns = viewer::columnsOf(size.width, size.height, worlds.size());
  viewer::OrbitCamera camera;
  camera.frameAll(snapshots.take(*worlds[0]), static_cast<double>(columns[0].width) / columns[0].height);
  camera.zoom(-viewer::kRoomSteps);
  std::vector<sim::Image> images;
  images.reserve(worlds.size());
  for (const sim::World* world : worlds)
    images.push_back(
        renderer.render(snapshots.take(*world), camera.camera(), {}, columns[0].width, columns[0].height));
  sim::Image picture = viewer::joined(images, size.width);
  for (std::size_t i = 0; i < worlds.size(); ++i)
    addCaption(worlds[i]->settings().collider, columns[i], picture);
  return picture;
}

}  // namespace

std::string savePicture(const std::vector<const sim::World*>& worlds, const Options& options) {
  try {
    if (worlds.size() > 1) {
      sim::savePng(drawSideBySide(worlds, options.size), options.screenshot);
    } else {
      sim::saveScreenshot(*worlds[0], options.screenshot, {options.size.width, options.size.height, {}});
    }
  } catch (const sim::RenderError& error) {
    return error.what();
  }
  return "";
}

std::string showWindow(const std::function<sim::SceneRun(sim::Collider)>& make,
                       const std::vector<std::string>& warnings, const Options& options) {
  viewer::Session session(make, options.world.collider, options.side_by_side, options.load);
  for (const std::string& warning : warnings) session.note(viewer::LogLine::Kind::kWarning, warning);
  viewer::App app(std::move(session));
  return openWindow(app, options);
}

std::string controlsHelp() {
  return viewer::controlsHelp();
}

}  // namespace odemesh::sandbox
