// Numbers and lines of OBJ files in forms that Assimp does not read.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace odemesh::sim {

/// Assimp passes over vertices with a number that does not begin with a digit or a sign and a digit (".003"),
/// and takes hexadecimal ones for 0; and it passes over lines that are indented, or that stand behind a byte
/// order mark. Gives the file's text with those written out and these taken away, or nothing if there are
/// none. Every number that strtod reads is accepted. Throws InputError that names the file and the line for a
/// vertex without three numbers. O(size of the file).
[[nodiscard]] std::optional<std::string> withPlainNumbers(const std::filesystem::path& path);

}  // namespace odemesh::sim
