// --play: a recording in the window, or in pictures.
#pragma once

#include "options.hpp"

namespace odemesh::sandbox {

/// Shows options.play in the window; headless, or where there can be no window, it draws the screenshot and
/// the video that the options ask for. Returns the program's exit code. Throws InputError for a file that is
/// no recording.
[[nodiscard]] int play(const Options& options);

}  // namespace odemesh::sandbox
