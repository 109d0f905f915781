#include "recording/glb_numbers.hpp"

#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <odemesh/sim/input_error.hpp>
#include <string>

#include "little_endian.hpp"

namespace odemesh::sim {
namespace {

using Json = nlohmann::json;

/// The first chunk: behind the header of 12 bytes, its size, its kind and its text. Empty if there is none.
[[nodiscard]] std::string jsonChunk(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string head(20, '\0');
  if (!in.read(head.data(), std::streamsize(head.size()))) return "";
  const std::uint32_t size = littleEndian32(head, 12);
  if (size > std::filesystem::file_size(file)) return "";
  std::string text(size, '\0');
  in.read(text.data(), size);
  return text;
}

/// Null where there is none.
[[nodiscard]] const Json& member(const Json& of, const char* key) {
  static const Json none;
  const auto found = of.is_object() ? of.find(key) : of.end();
  return found != of.end() ? *found : none;
}

[[nodiscard]] bool isIndexOf(const Json& list, const Json& index) {
  return list.is_array() && index.is_number_unsigned() && index.get<std::uint64_t>() < list.size();
}

/// Is each of `accessors` a list of numbers that is there, with all that it stands in?
[[nodiscard]] bool areLists(const Json& document, const Json& accessors) {
  const Json &lists = member(document, "accessors"), &views = member(document, "bufferViews");
  for (const Json& index : accessors)
    if (!isIndexOf(lists, index) || !isIndexOf(views, member(lists[index.get<std::size_t>()], "bufferView")))
      return false;
  return true;
}

}  // namespace

void requireSoundNumbers(const std::filesystem::path& file) {
  const Json document = Json::parse(jsonChunk(file), nullptr, false);
  const auto refuse = [&](const char* what) {
    throw InputError(file.string() + ": is damaged (" + what + "); record it again");
  };
  if (!member(document, "images").empty()) refuse("it has images, which no recording has");
  for (const Json& mesh : member(document, "meshes"))
    for (const Json& primitive : member(mesh, "primitives")) {
      bool are_lists = areLists(document, member(primitive, "attributes"));
      for (const Json& target : member(primitive, "targets"))
        are_lists = are_lists && areLists(document, target);
      if (!are_lists) refuse("a mesh names a list of numbers that does not exist");
    }
}

}  // namespace odemesh::sim
