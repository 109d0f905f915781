// Mesh files that are text.
#pragma once

#include <algorithm>
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

/// Passes over a byte order mark at the beginning of a file, and says whether there was one.
inline bool skipByteOrderMark(std::ifstream& file) {
  std::string head(kByteOrderMark.size(), ' ');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  if (head == kByteOrderMark) return true;
  file.clear();
  file.seekg(0);
  return false;
}

/// As far as ASCII goes, whatever the locale.
[[nodiscard]] inline char smallLetter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

[[nodiscard]] inline std::string inSmallLetters(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), smallLetter);
  return out;
}

}  // namespace odemesh::sim
