// Bad command lines.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace odemesh::sandbox {

/// A line "did you mean --count?" for each word that `app` did not expect and that is nearly the name of one
/// of its options; to be asked after it has thrown a ParseError.
[[nodiscard]] std::string suggestions(const CLI::App& app);

/// Prints what a ParseError says, with suggestions. 0 after --help and --version, else kBadInput.
[[nodiscard]] int exitCodeFor(const CLI::App& app, const CLI::ParseError& error);

}  // namespace odemesh::sandbox
