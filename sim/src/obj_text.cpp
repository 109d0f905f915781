#include "obj_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <odemesh/sim/input_error.hpp>
#include <string_view>

#include "text_file.hpp"

namespace odemesh::sim {
namespace {

constexpr std::string_view kBlanks = " \t\r";

// The next word of `rest`, which is taken off it; empty at its end.
std::string_view takeWord(std::string_view& rest) {
  const std::size_t begin = rest.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return rest = {};
  rest.remove_prefix(begin);
  const std::string_view word = rest.substr(0, rest.find_first_of(kBlanks));
  rest.remove_prefix(word.size());
  return word;
}

// The part of `rest` before a slash, which is taken off with it.
std::string_view takePart(std::string_view& rest) {
  const std::size_t slash = rest.find('/');
  const std::string_view part = rest.substr(0, slash);
  rest.remove_prefix(slash == std::string_view::npos ? rest.size() : slash + 1);
  return part;
}

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

// In the form that Assimp reads: sign, digits, and whatever may follow them.
bool isPlain(std::string_view word) {
  if (!word.empty() && (word[0] == '-' || word[0] == '+')) word.remove_prefix(1);
  return !word.empty() && isDigit(word[0]) && word.find_first_of("xX") == std::string_view::npos;
}

bool isPlainIndex(std::string_view part) {
  return !part.empty() && part[0] != '+' && part[0] != '0' && !part.starts_with("-0");
}

/// Whole numbers other than 0, as they count elements; 0 for anything else.
std::int64_t indexOf(std::string_view part) {
  if (part.size() > 1 && part[0] == '+' && isDigit(part[1])) part.remove_prefix(1);
  std::int64_t index = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
  return error == std::errc{} && end == part.data() + part.size() ? index : 0;
}

bool isKeywordInCapitals(std::string_view word) {
  constexpr std::array<std::string_view, 6> kCapitals = {"V", "F", "VN", "VT", "L", "P"};
  return std::find(kCapitals.begin(), kCapitals.end(), word) != kCapitals.end();
}

// A line that goes on in the next one is left to Assimp.
bool goesOn(std::string_view line) {
  const std::size_t last = line.find_last_not_of(kBlanks);
  return last != std::string_view::npos && line[last] == '\\';
}

// For messages.
std::string inQuotes(std::string_view word) {
  constexpr std::size_t kMost = 40;
  std::string out(1, '\'');
  return out.append(word.substr(0, kMost)).append("'");
}

std::string text(double value) {
  char out[32];
  std::snprintf(out, sizeof out, "%.17g", value);
  return out;
}

class ObjText {
 public:
  explicit ObjText(const std::filesystem::path& path) : path_(path), text_(contentOf(path)) {}

  [[nodiscard]] std::optional<std::string> plain() {
    copied_ = text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    for (std::size_t begin = copied_; begin < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      readLine(begin, end);
      begin = end + 1;
    }
    // Faces may stand before their vertices.
    if (greatest_index_ > vertices_) refuseVertex(line_of_greatest_, greatest_index_, "");
    if (copied_ == 0) return std::nullopt;
    return out_.append(text_, copied_);
  }

 private:
  [[noreturn]] void refuse(std::size_t line, const std::string& problem) const {
    throw InputError(path_.string() + ": line " + std::to_string(line) + ": " + problem +
                     "; repair the file or export it again");
  }

  [[noreturn]] void refuseVertex(std::size_t line, std::int64_t index, const std::string& where) const {
    refuse(line, "vertex " + std::to_string(index) + " does not exist, there are " +
                     std::to_string(vertices_) + where);
  }

  void readLine(std::size_t begin, std::size_t end) {
    ++number_;
    const bool is_new = !continues_;
    std::string_view line = std::string_view(text_).substr(begin, end - begin);
    continues_ = goesOn(line);
    if (!is_new) return;
    const std::size_t indent = std::min(line.find_first_not_of(kBlanks), line.size());
    line.remove_prefix(indent);
    if (indent > 0) replace(begin, begin + indent, "");
    if (const std::optional<std::string> rewritten = statement(line))
      replace(begin + indent, end, *rewritten);
  }

  void replace(std::size_t begin, std::size_t end, std::string_view by) {
    out_.append(text_, copied_, begin - copied_).append(by);
    copied_ = end;
  }

  // The line as it has to be, unless it is that already.
  [[nodiscard]] std::optional<std::string> statement(std::string_view line) {
    std::string_view rest = line;
    const std::string_view keyword = takeWord(rest);
    if (isKeywordInCapitals(keyword))
      refuse(number_, inQuotes(keyword) + " is no keyword, those of OBJ are in small letters");
    if (keyword == "v") ++vertices_;
    if (continues_) return std::nullopt;
    rest = rest.substr(0, rest.find('#'));
    if (keyword == "v") return vertex(rest);
    if (keyword == "f" || keyword == "l" || keyword == "p")
      return face(keyword, rest, line.find('#') != std::string_view::npos);
    return std::nullopt;
  }

  [[nodiscard]] std::optional<std::string> vertex(std::string_view rest) const {
    std::string out = "v";
    bool changed = false;
    std::size_t count = 0;
    for (std::string_view word = takeWord(rest); !word.empty(); word = takeWord(rest), ++count) {
      const double value = valueOf(word);
      const bool plain = isPlain(word);
      changed = changed || !plain;
      out += ' ' + (plain ? std::string(word) : text(value));
    }
    if (count < 3) refuse(number_, "a vertex has " + std::to_string(count) + " of its 3 numbers");
    return changed ? std::optional(out) : std::nullopt;
  }

  [[nodiscard]] double valueOf(std::string_view word) const {
    const std::string copy(word);
    char* end = nullptr;
    const double value = std::strtod(copy.c_str(), &end);
    if (*end != '\0' || !std::isfinite(value)) refuse(number_, inQuotes(copy) + " is not a finite number");
    if (std::abs(value) > std::numeric_limits<float>::max())
      refuse(number_, inQuotes(copy) + " is beyond 3.4e38, the greatest number of single precision");
    return value;
  }

  [[nodiscard]] std::optional<std::string> face(std::string_view keyword, std::string_view rest,
                                                bool changed) {
    std::string out(keyword);
    for (std::string_view word = takeWord(rest); !word.empty(); word = takeWord(rest)) {
      std::string corner = plainCorner(word);
      changed = changed || corner != word;
      out += ' ' + corner;
    }
    return changed ? std::optional(out) : std::nullopt;
  }

  // "V", "V/T", "V//N" or "V/T/N".
  [[nodiscard]] std::string plainCorner(std::string_view word) {
    std::string out;
    std::string_view rest = word;
    for (int i = 0; i == 0 || !rest.empty(); ++i) {
      const std::string_view part = takePart(rest);
      const std::int64_t index = indexOf(part);
      if (i > 2 || (index == 0 && (i == 0 || !part.empty()))) refuseCorner(word);
      if (i == 0) noteVertex(index);
      if (i > 0) out += '/';
      out += part.empty() || isPlainIndex(part) ? std::string(part) : std::to_string(index);
    }
    return out;
  }

  [[noreturn]] void refuseCorner(std::string_view word) const {
    refuse(number_, inQuotes(word) +
                        " is no corner of a face, which is the number of a vertex, and may have those of a " +
                        "texture coordinate and a normal after slashes");
  }

  void noteVertex(std::int64_t index) {
    if (index < -vertices_) refuseVertex(number_, index, " before it");
    if (index <= greatest_index_) return;
    greatest_index_ = index;
    line_of_greatest_ = number_;
  }

  const std::filesystem::path& path_;
  const std::string text_;
  std::string out_;
  std::size_t copied_ = 0;  ///< the bytes of `text_` that are in `out_`, or left out
  std::size_t number_ = 0;
  bool continues_ = false;
  std::int64_t vertices_ = 0;
  std::int64_t greatest_index_ = 0;
  std::size_t line_of_greatest_ = 0;
};

}  // namespace

std::optional<std::string> plainObj(const std::filesystem::path& path) {
  return ObjText(path).plain();
}

}  // namespace odemesh::sim
