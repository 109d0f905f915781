// Numbers, faces and lines of OBJ files in forms that Assimp does not read, or explains badly.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace odemesh::sim {

/// Assimp passes over vertices with a number that does not begin with a digit or a sign and a digit (".003"),
/// and takes hexadecimal ones for 0; it reads signs and leading zeros of indices as corners of their own, and
/// refuses comments behind faces; and it passes over lines that are indented, or that stand behind a byte
/// order mark. Gives the file's text with those written out and these taken away, or nothing if there are
/// none. Every number that strtod reads is accepted.
///
/// Throws InputError that names the file and the line for a vertex without three numbers or beyond single
/// precision, for a face that names something else than vertices that exist, and for keywords in capitals,
/// which Assimp passes over too. O(size of the file).
[[nodiscard]] std::optional<std::string> plainObj(const std::filesystem::path& path);

}  // namespace odemesh::sim
