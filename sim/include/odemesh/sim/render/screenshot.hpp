// A picture of a world as a PNG file, without a window.
#pragma once

#include <filesystem>
#include <odemesh/sim/render/renderer.hpp>
#include <odemesh/sim/world.hpp>

namespace odemesh::sim {

struct ScreenshotOptions {
  int width = 1280;
  int height = 720;
  RenderOptions render;
};

/// Draws all bodies, seen from the front, the right and above, and writes `file`. Throws InputError for a
/// size that can't be or a file that can't be written, RenderError where there is no off-screen OpenGL 3.3.
void saveScreenshot(const World& world, const std::filesystem::path& file,
                    const ScreenshotOptions& options = {});

}  // namespace odemesh::sim
