// The manual page and the completion of bash, made from the options themselves.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace odemesh::sandbox {

/// In the language of man(7), for section 1. `footer` is the text below the options in --help.
[[nodiscard]] std::string manualPage(const CLI::App& app, const std::string& footer);

/// A script for bash that completes options, the values of those that have a fixed set, and names of files.
[[nodiscard]] std::string bashCompletion(const CLI::App& app);

}  // namespace odemesh::sandbox
