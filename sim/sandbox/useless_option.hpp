// Options that would do nothing beside the others.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "options.hpp"

namespace odemesh::sandbox {

/// The first option that was given to `app` and has no effect in these `options`, with the remedy; empty if
/// there is none. To be asked as soon as `options.headless` is settled.
[[nodiscard]] std::string uselessOption(const CLI::App& app, const Options& options);

}  // namespace odemesh::sandbox
