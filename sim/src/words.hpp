// The words of a line of text.
#pragma once

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>

namespace odemesh::sim {

inline constexpr std::string_view kBlanksInLine = " \t\r\v\f";

/// Takes words off the front of a line, which has to outlive this.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}

  /// The next word; empty at the end of the line.
  [[nodiscard]] std::string_view next() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanksInLine), rest_.size()));
    const std::string_view word = rest_.substr(0, rest_.find_first_of(kBlanksInLine));
    rest_.remove_prefix(word.size());
    return word;
  }

  /// The next word as a whole number or a floating-point one, by T; false if it is none or out of range.
  template <class T>
  [[nodiscard]] bool take(T& value) {
    std::string_view word = next();
    if (word.size() > 1 && word[0] == '+') word.remove_prefix(1);  // from_chars takes no plus sign
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc{} && end == word.data() + word.size();
  }

 private:
  std::string_view rest_;
};

}  // namespace odemesh::sim
