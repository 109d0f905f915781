// The viewer's window.
#pragma once

#include <string>

#include "viewer/app.hpp"

namespace odemesh::viewer {

struct WindowOptions {
  int width = 1280;
  int height = 720;
  std::string screenshot;       ///< PNG file for the last frame, panels included; empty: none
  std::string script;           ///< file of events to play instead of the user's; see script.hpp
  bool chooses_quality = true;  ///< by whether the processor draws
  int frames = 0;  ///< to show before it closes by itself and says what they took; 0: no such thing
};

/// Opens a window and shows `app` until it is closed. Returns why there can be no window (no display, no
/// OpenGL 3.3), or an empty text. Throws InputError for a script or a picture file that can't be used.
[[nodiscard]] std::string showWindow(App& app, const WindowOptions& options);

}  // namespace odemesh::viewer
