// Keywords of STL files that are text.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace odemesh::sim {

/// Assimp knows the keywords in small letters alone, and at the very beginning of a file. Gives the text of
/// one that has them in capitals or behind a byte order mark with that changed, names left as they are;
/// nothing for one that is good as it is, or binary. O(size of the file).
[[nodiscard]] std::optional<std::string> plainStl(const std::filesystem::path& path);

}  // namespace odemesh::sim
