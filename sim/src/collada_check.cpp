#include "collada_check.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <odemesh/sim/input_error.hpp>
#include <pugixml.hpp>
#include <string>
#include <string_view>

namespace odemesh::sim {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

std::uint64_t wordCount(std::string_view text) {
  std::uint64_t words = 0;
  while (true) {
    const std::size_t begin = text.find_first_not_of(kSpace);
    if (begin == std::string_view::npos) return words;
    ++words;
    const std::size_t end = text.find_first_of(kSpace, begin);
    if (end == std::string_view::npos) return words;
    text.remove_prefix(end);
  }
}

class ColladaCheck {
 public:
  explicit ColladaCheck(const std::filesystem::path& path) : path_(path) {}

  void run() {
    pugi::xml_document document;
    const pugi::xml_parse_result parsed = document.load_file(path_.c_str());
    if (!parsed)
      throw InputError(path_.string() + ": is not well-formed XML near byte " +
                       std::to_string(parsed.offset) + " (" + parsed.description() +
                       "); it is truncated or damaged, export it again");
    for (const pugi::xpath_node& found :
         document.select_nodes("//float_array|//int_array|//Name_array|//IDREF_array"))
      checkArray(found.node());
    for (const pugi::xpath_node& found : document.select_nodes("//accessor")) checkAccessor(found.node());
    for (const pugi::xpath_node& found :
         document.select_nodes("//mesh/*/p|//mesh/*/ph/*|//vcount|//vertex_weights/v"))
      checkWholeNumbers(found.node());
  }

 private:
  [[noreturn]] void refuse(const pugi::xml_node& node, const std::string& what) const {
    const std::string id =
        node.attribute("id").as_string(node.attribute("source").as_string("without an id"));
    throw InputError(path_.string() + ": " + node.name() + " \"" + id + "\" " + what +
                     "; the file is damaged, export it again");
  }

  [[nodiscard]] std::uint64_t number(const pugi::xml_node& node, const char* attribute,
                                     std::uint64_t fallback) const {
    const std::string_view text = node.attribute(attribute).value();
    if (text.empty()) return fallback;
    std::uint32_t value = 0;  // Assimp keeps them in 32 bits
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
      refuse(node,
             std::string("has ") + attribute + "=\"" + std::string(text) + "\", which is not a whole number");
    return value;
  }

  void checkArray(const pugi::xml_node& array) {
    const std::uint64_t promised = number(array, "count", 0), present = wordCount(array.child_value());
    if (promised > present)
      refuse(array, "promises " + std::to_string(promised) + " values and has " + std::to_string(present));
    sizes_[std::string("#") + array.attribute("id").value()] = promised;
  }

  void checkAccessor(const pugi::xml_node& accessor) const {
    const auto array = sizes_.find(accessor.attribute("source").value());
    if (array == sizes_.end()) refuse(accessor, "names an array that does not exist");
    // At most 32 bits each, so that the product fits into 64.
    const std::uint64_t count = number(accessor, "count", 0), stride = number(accessor, "stride", 1);
    const std::uint64_t needed = count * stride, offset = number(accessor, "offset", 0);
    if (needed > array->second || offset > array->second - needed)
      refuse(accessor, "reads " + std::to_string(count) + " elements of " + std::to_string(stride) +
                           " values from " + std::to_string(offset) + " on, but its array has " +
                           std::to_string(array->second));
  }

  /// Assimp never gets past a word in a list of indices or counts that is no number.
  void checkWholeNumbers(const pugi::xml_node& list) const {
    std::string_view text = list.child_value();
    while (true) {
      text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
      if (text.empty()) return;
      const std::string_view word = text.substr(0, text.find_first_of(kSpace));
      std::int64_t value = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (error != std::errc{} || end != word.data() + word.size())
        refuse(list, "has \"" + std::string(word.substr(0, 40)) + "\", which is not a whole number");
      text.remove_prefix(word.size());
    }
  }

  const std::filesystem::path& path_;
  std::map<std::string, std::uint64_t> sizes_;  ///< values in each array, by "#id"
};

}  // namespace

void requireSoundCollada(const std::filesystem::path& path) {
  ColladaCheck(path).run();
}

}  // namespace odemesh::sim
