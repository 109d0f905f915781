#include "stl_text.hpp"

#include <algorithm>
#include <string_view>

#include "text_file.hpp"
#include "words.hpp"

namespace odemesh::sim {
namespace {

bool isBinary(const std::filesystem::path& path) {
  constexpr std::streamsize kHead = 4096;
  std::string head(kHead, ' ');
  std::ifstream(path, std::ios::binary).read(head.data(), kHead);
  return head.find('\0') != std::string::npos;
}

// All of it, or the keyword alone before a name.
std::size_t keywordsEnd(std::string_view line) {
  const std::string_view first = Words(line).next();
  const std::string keyword = inSmallLetters(first);
  if (keyword != "solid" && keyword != "endsolid") return line.size();
  return static_cast<std::size_t>(first.data() - line.data()) + first.size();
}

}  // namespace

std::optional<std::string> plainStl(const std::filesystem::path& path) {
  if (isBinary(path)) return std::nullopt;
  const std::string text = contentOf(path);
  std::string out = text.substr(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
  for (std::size_t begin = 0; begin < out.size();) {
    const std::size_t end = std::min(out.find('\n', begin), out.size());
    const auto line = out.begin() + static_cast<std::ptrdiff_t>(begin);
    const std::size_t keywords = keywordsEnd(std::string_view(out).substr(begin, end - begin));
    std::transform(line, line + static_cast<std::ptrdiff_t>(keywords), line, smallLetter);
    begin = end + 1;
  }
  return out == text ? std::nullopt : std::optional(std::move(out));
}

}  // namespace odemesh::sim
