#include "ply_check.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <odemesh/sim/input_error.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "promised_size.hpp"
#include "text_file.hpp"
#include "words.hpp"

namespace odemesh::sim {
namespace {

enum class Format { kText, kLittleEndian, kBigEndian };

struct Type {
  std::string_view name;
  std::uint8_t size;
  bool is_whole;
};

constexpr std::array<Type, 16> kTypes = {{{"char", 1, true},
                                          {"int8", 1, true},
                                          {"uchar", 1, true},
                                          {"uint8", 1, true},
                                          {"short", 2, true},
                                          {"int16", 2, true},
                                          {"ushort", 2, true},
                                          {"uint16", 2, true},
                                          {"int", 4, true},
                                          {"int32", 4, true},
                                          {"uint", 4, true},
                                          {"uint32", 4, true},
                                          {"float", 4, false},
                                          {"float32", 4, false},
                                          {"double", 8, false},
                                          {"float64", 8, false}}};

struct Property {
  std::string name;
  const Type* type = nullptr;
  const Type* count_type = nullptr;  ///< of a list
};

struct Element {
  std::string name;
  std::uint64_t count = 0;
  std::vector<Property> properties;
};

class PlyCheck {
 public:
  explicit PlyCheck(const std::filesystem::path& path) : path_(path), file_(path, std::ios::binary) {
    skipByteOrderMark(file_);
  }

  void run() {
    readHeader();
    requireVertices();
    const auto size = std::filesystem::file_size(path_);
    for (const Element& element : elements_) requireRoom(element, size);
    for (const Element& element : elements_)
      for (std::uint64_t i = 0; i < element.count; ++i)
        format_ == Format::kText ? checkText(element, i) : checkBinary(element, i);
  }

 private:
  [[noreturn]] void refuse(const std::string& problem) const {
    throw InputError(path_.string() + ": " + problem + "; it is damaged, export it again");
  }

  [[noreturn]] void refuseLine(const std::string& problem) const {
    refuse("line " + std::to_string(line_number_) + " of its header " + problem);
  }

  [[noreturn]] void refuseElement(const Element& element, std::uint64_t index,
                                  const std::string& problem) const {
    refuse(element.name + ' ' + std::to_string(index) + ' ' + problem);
  }

  /// False at the end of the file, and at a line too long for any header.
  [[nodiscard]] bool nextHeaderLine() {
    constexpr std::size_t kMostBytes = 4096;
    line_.clear();
    ++line_number_;
    char c = 0;
    while (line_.size() < kMostBytes && file_.get(c)) {
      if (c == '\n') return true;
      line_ += c;
    }
    return false;
  }

  void readHeader() {
    constexpr std::size_t kMostLines = 10000;
    if (!nextHeaderLine() || Words(line_).next() != "ply")
      throw InputError(path_.string() + ": does not begin with \"ply\"; check its extension");
    while (line_number_ < kMostLines && nextHeaderLine()) {
      Words words(line_);
      const std::string_view keyword = words.next();
      if (keyword == "end_header") return;
      readHeaderLine(keyword, words);
    }
    throw InputError(path_.string() +
                     ": its header has no \"end_header\"; it is truncated or damaged, export it again");
  }

  void readHeaderLine(std::string_view keyword, Words words) {
    if (keyword == "format")
      readFormat(words.next());
    else if (keyword == "element")
      readElement(words);
    else if (keyword == "property")
      readProperty(words);
    else if (keyword != "comment" && keyword != "obj_info")
      refuseLine("begins with \"" + std::string(keyword.substr(0, 40)) + "\", which is no keyword of PLY");
  }

  void readFormat(std::string_view name) {
    if (name == "ascii")
      format_ = Format::kText;
    else if (name == "binary_little_endian")
      format_ = Format::kLittleEndian;
    else if (name == "binary_big_endian")
      format_ = Format::kBigEndian;
    else
      refuseLine("names an unknown format, \"" + std::string(name.substr(0, 40)) + "\"");
    has_format_ = true;
  }

  void readElement(Words& words) {
    Element element;
    element.name = words.next();
    if (element.name.empty() || !words.take(element.count)) refuseLine("has no name and count of an element");
    elements_.push_back(std::move(element));
  }

  void readProperty(Words& words) {
    if (elements_.empty()) refuseLine("has a property of no element");
    Property property;
    std::string_view type = words.next();
    if (type == "list") {
      property.count_type = typeNamed(words.next());
      if (!property.count_type->is_whole) refuseLine("counts a list by numbers that are not whole");
      type = words.next();
    }
    property.type = typeNamed(type);
    property.name = words.next();
    if (property.name.empty()) refuseLine("has a property without a name");
    elements_.back().properties.push_back(std::move(property));
  }

  [[nodiscard]] const Type* typeNamed(std::string_view name) const {
    const auto* found =
        std::find_if(kTypes.begin(), kTypes.end(), [&](const Type& t) { return t.name == name; });
    if (found == kTypes.end()) refuseLine("has an unknown type, \"" + std::string(name.substr(0, 40)) + "\"");
    return found;
  }

  void requireVertices() const {
    if (!has_format_) refuse("has no format in its header");
    const auto vertices =
        std::find_if(elements_.begin(), elements_.end(), [](const Element& e) { return e.name == "vertex"; });
    if (vertices == elements_.end()) refuse("has no element \"vertex\" in its header");
    for (const char* axis : {"x", "y", "z"})
      if (std::none_of(vertices->properties.begin(), vertices->properties.end(),
                       [&](const Property& p) { return p.name == axis && p.count_type == nullptr; }))
        refuse(std::string("has vertices without ") + axis);
  }

  /// Before anything is read or set aside for the elements: in text, a value and a separator take two bytes.
  void requireRoom(const Element& element, std::uintmax_t size) const {
    std::uint64_t bytes = element.properties.empty() ? 1 : 0;
    for (const Property& p : element.properties)
      bytes += format_ == Format::kText ? 2 : (p.count_type != nullptr ? p.count_type : p.type)->size;
    if (element.count <= size / bytes) return;
    refusePromise(path_.string(), std::to_string(element.count) + ' ' + element.name + " elements", size);
  }

  void checkText(const Element& element, std::uint64_t index) {
    if (element.properties.empty()) return;
    if (!std::getline(file_, line_)) refuseElement(element, index, "is missing, the file ends before it");
    Words words(line_);
    for (const Property& p : element.properties) {
      std::uint64_t values = 1;
      if (p.count_type != nullptr && !words.take(values))
        refuseElement(element, index, "has no count of its " + p.name);
      for (std::uint64_t i = 0; i < values; ++i) checkNumber(element, index, p, words);
    }
  }

  void checkNumber(const Element& element, std::uint64_t index, const Property& property,
                   Words& words) const {
    double number = 0;
    std::int64_t whole = 0;
    if (property.type->is_whole ? words.take(whole) : words.take(number)) return;
    refuseElement(element, index, "has no number for " + property.name);
  }

  void checkBinary(const Element& element, std::uint64_t index) {
    for (const Property& p : element.properties) {
      const std::uint64_t values = p.count_type != nullptr ? readCount(element, index, p) : 1;
      file_.ignore(static_cast<std::streamsize>(values * p.type->size));
      if (file_.eof()) refuseElement(element, index, "is cut off, the file ends within its " + p.name);
    }
  }

  /// A negative one reads as a great one, for which there is no room.
  [[nodiscard]] std::uint64_t readCount(const Element& element, std::uint64_t index,
                                        const Property& property) {
    std::array<unsigned char, 4> bytes{};
    const std::size_t size = property.count_type->size;
    if (!file_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size)))
      refuseElement(element, index, "is missing, the file ends before it");
    if (format_ == Format::kLittleEndian) std::reverse(bytes.begin(), bytes.begin() + std::ptrdiff_t(size));
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < size; ++i) count = count << 8 | bytes[i];
    return count;
  }

  const std::filesystem::path& path_;
  std::ifstream file_;
  std::string line_;
  std::size_t line_number_ = 0;
  Format format_ = Format::kText;
  bool has_format_ = false;
  std::vector<Element> elements_;
};

}  // namespace

void requireSoundPly(const std::filesystem::path& path) {
  PlyCheck(path).run();
}

}  // namespace odemesh::sim
