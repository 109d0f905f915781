// Pictures and the window, which a build without OpenGL has to do without.
#pragma once

#include <functional>
#include <odemesh/sim/scenes/scene.hpp>
#include <string>
#include <vector>

#include "options.hpp"

namespace odemesh::sandbox {

/// Draws the worlds next to each other, seen alike, into options.screenshot. Returns why there is no picture,
/// or an empty text. Throws InputError for a file that can't be written.
[[nodiscard]] std::string savePicture(const std::vector<const sim::World*>& worlds, const Options& options);

/// Shows the window until it is closed. Returns why there can be none, or an empty text. `warnings` go to its
/// log.
[[nodiscard]] std::string showWindow(const std::function<sim::SceneRun(sim::Collider)>& make,
                                     const std::vector<std::string>& warnings, const Options& options);

/// What keys and mouse do in the window.
[[nodiscard]] std::string controlsHelp();

}  // namespace odemesh::sandbox
