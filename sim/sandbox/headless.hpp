// A run without a window.
#pragma once

#include "options.hpp"
#include "plan.hpp"

namespace odemesh::sandbox {

/// Runs the plan, side by side in step, and writes what the options ask for. The first world decides whether
/// the run is good, and whether what was expected came true. Returns the program's exit code. Throws
/// InputError for expectations and files that can't be.
[[nodiscard]] int runHeadless(const Plan& plan, const Options& options);

}  // namespace odemesh::sandbox
