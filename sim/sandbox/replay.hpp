// --replay: the run of a recording once more.
#pragma once

#include "options.hpp"

namespace odemesh::sandbox {

/// Repeats the run that options.replay was recorded of, without its output files, and compares first and last
/// state. Returns the program's exit code. Throws InputError for a file that is no recording.
[[nodiscard]] int replay(const Options& options);

}  // namespace odemesh::sandbox
