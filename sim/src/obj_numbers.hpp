// Numbers of OBJ files in forms that Assimp does not read.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace odemesh::sim {

/// Assimp passes over vertices with a number that does not begin with a digit or a sign and a digit (".003"),
/// and takes hexadecimal ones for 0. Gives the file's text with those written out, or nothing if there are
/// none. Every number that strtod reads is accepted. Throws InputError that names the file and the line for a
/// vertex without three numbers. O(size of the file).
[[nodiscard]] std::optional<std::string> withPlainNumbers(const std::filesystem::path& path);

}  // namespace odemesh::sim
