// Mesh files that are text.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace odemesh::sim {

/// What some programs write before UTF-8.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// All bytes of a file; empty if it can't be read.
[[nodiscard]] inline std::string contentOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace odemesh::sim
