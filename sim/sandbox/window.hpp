// What needs GLFW and Dear ImGui, and is left out of a build without them.
#pragma once

#include <odemesh/sim/render/image.hpp>
#include <string>

#include "options.hpp"
#include "viewer/app.hpp"

namespace odemesh::sandbox {

/// Shows `app` until its window is closed. Returns why there can be none, or an empty text.
[[nodiscard]] std::string openWindow(viewer::App& app, const Options& options);

/// Writes the collider's name over a column of a picture, where there is a font.
void addCaption(sim::Collider collider, const sim::Viewport& column, sim::Image& picture);

}  // namespace odemesh::sandbox
