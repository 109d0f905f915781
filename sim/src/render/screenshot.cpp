#include <odemesh/sim/render/offscreen_context.hpp>
#include <odemesh/sim/render/screenshot.hpp>
#include <odemesh/sim/render/world_snapshots.hpp>

namespace odemesh::sim {

namespace {

constexpr Vec3 kViewedFrom{2, -5, 2.6};

}  // namespace

void saveScreenshot(const World& world, const std::filesystem::path& file, const ScreenshotOptions& options) {
  checkPictureSize(options.width, options.height);
  const OffscreenContext context;
  Renderer renderer;
  const Snapshot snapshot = WorldSnapshots().take(world);
  const Camera camera =
      frameAll({kViewedFrom, {}, 35}, snapshot, static_cast<double>(options.width) / options.height);
  savePng(renderer.render(snapshot, camera, options.render, options.width, options.height), file);
}

}  // namespace odemesh::sim
