#include "obj_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <odemesh/sim/input_error.hpp>
#include <string_view>

namespace odemesh::sim {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool isVertex(std::string_view line) {
  return line.size() > 1 && line[0] == 'v' && (line[1] == ' ' || line[1] == '\t');
}

// The next word of `rest`, which is taken off it; empty at its end.
std::string_view takeWord(std::string_view& rest) {
  const std::size_t begin = rest.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return rest = {};
  rest.remove_prefix(begin);
  const std::string_view word = rest.substr(0, rest.find_first_of(kBlanks));
  rest.remove_prefix(word.size());
  return word;
}

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

// In the form that Assimp reads: sign, digits, and whatever may follow them.
bool isPlain(std::string_view word) {
  if (!word.empty() && (word[0] == '-' || word[0] == '+')) word.remove_prefix(1);
  return !word.empty() && isDigit(word[0]) && word.find_first_of("xX") == std::string_view::npos;
}

[[noreturn]] void refuse(const std::filesystem::path& path, std::size_t line, const std::string& problem) {
  throw InputError(path.string() + ": line " + std::to_string(line) + ": " + problem +
                   "; repair the file or export it again");
}

/// Rewrites one line "v X Y Z ..." if it has to be.
class VertexLine {
 public:
  VertexLine(const std::filesystem::path& path, std::size_t number) : path_(path), number_(number) {}

  [[nodiscard]] std::optional<std::string> rewritten(std::string_view line) const {
    std::string_view rest = line.substr(1, line.find('#') - 1);
    std::string out = "v";
    bool changed = false;
    std::size_t count = 0;
    for (std::string_view word = takeWord(rest); !word.empty(); word = takeWord(rest), ++count) {
      const double value = valueOf(word);
      const bool plain = isPlain(word);
      changed = changed || !plain;
      out += ' ' + (plain ? std::string(word) : text(value));
    }
    if (count < 3) refuse(path_, number_, "a vertex has " + std::to_string(count) + " of its 3 numbers");
    return changed ? std::optional(out) : std::nullopt;
  }

 private:
  [[nodiscard]] double valueOf(std::string_view word) const {
    const std::string copy(word);
    char* end = nullptr;
    const double value = std::strtod(copy.c_str(), &end);
    if (*end != '\0' || !std::isfinite(value))
      refuse(path_, number_, "'" + copy + "' is not a finite number");
    return value;
  }

  static std::string text(double value) {
    char out[32];
    std::snprintf(out, sizeof out, "%.17g", value);
    return out;
  }

  const std::filesystem::path& path_;
  std::size_t number_;
};

// A line that goes on in the next one is left to Assimp.
bool goesOn(std::string_view line) {
  const std::size_t last = line.find_last_not_of(kBlanks);
  return last != std::string_view::npos && line[last] == '\\';
}

}  // namespace

std::optional<std::string> withPlainNumbers(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  std::string out;
  // The bytes of `text` that are in `out`, or left out.
  std::size_t copied = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  std::size_t number = 0;
  bool continues = false;
  for (std::size_t begin = copied; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = std::string_view(text).substr(begin, end - begin);
    ++number;
    const std::size_t indent = std::min(line.find_first_not_of(kBlanks), line.size());
    if (indent > 0 && !continues) {
      out.append(text, copied, begin - copied);
      begin = copied = begin + indent;
      line.remove_prefix(indent);
    }
    continues = goesOn(line);
    if (isVertex(line) && !continues) {
      if (const auto rewritten = VertexLine(path, number).rewritten(line)) {
        out.append(text, copied, begin - copied).append(*rewritten);
        copied = end;
      }
    }
    begin = end + 1;
  }
  if (copied == 0) return std::nullopt;
  return out.append(text, copied);
}

}  // namespace odemesh::sim
