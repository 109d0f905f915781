#include "mesh_preflight.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/mesh_file.hpp>
#include <string_view>
#include <system_error>

#include "collada_check.hpp"
#include "little_endian.hpp"
#include "ply_check.hpp"
#include "promised_size.hpp"
#include "regular_file.hpp"
#include "text_file.hpp"

namespace odemesh::sim {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{1} << 30;
constexpr std::uintmax_t kHeadBytes = 4096;
constexpr std::uintmax_t kTailBytes = 4096;

struct FileView {
  const fs::path& path;
  std::uintmax_t size;
  std::string head;  ///< its first bytes
  std::string tail;  ///< its last bytes

  [[nodiscard]] std::string name() const { return path.string(); }
};

std::string supportedList() {
  std::string list;
  for (const std::string_view extension : meshFileExtensions()) {
    if (!list.empty()) list += ", ";
    list.append(".").append(extension);
  }
  return list;
}

[[noreturn]] void refuseBeginning(const FileView& file, const std::string& beginning) {
  throw InputError(file.name() + ": does not begin with \"" + beginning + "\"; check its extension");
}

void requireKnownExtension(const fs::path& path, const std::string& extension) {
  const auto known = meshFileExtensions();
  if (std::find(known.begin(), known.end(), extension) != known.end()) return;
  throw InputError(
      path.string() + ": " +
      (extension.empty() ? "has no extension" : "." + extension + " is not a known mesh format") +
      "; give one of " + supportedList());
}

std::uintmax_t requireFileSize(const fs::path& path) {
  requireRegularFile(path, "mesh file");
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) throw InputError(path.string() + ": has no size (" + error.message() + "); check the file");
  if (size == 0) throw InputError(path.string() + ": is empty (0 bytes); export it again");
  if (size > kMaxFileBytes)
    throw InputError(path.string() + ": has " + std::to_string(size) +
                     " bytes, more than 1 GiB; simplify the mesh");
  return size;
}

std::string readPart(std::ifstream& file, std::uintmax_t offset, std::uintmax_t count) {
  std::string bytes(count, '\0');
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  file.clear();
  return bytes;
}

FileView openFile(const fs::path& path, std::uintmax_t size) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path.string() + ": can't be opened; check its permissions");
  FileView view{path, size, readPart(file, 0, std::min(size, kHeadBytes)), {}};
  const std::uintmax_t tail = std::min(size, kTailBytes);
  view.tail = readPart(file, size - tail, tail);
  return view;
}

void requireByteText(const FileView& file) {
  if (file.head.starts_with("\xFF\xFE") || file.head.starts_with("\xFE\xFF"))
    throw InputError(file.name() + ": is text in UTF-16; save it in UTF-8 or ASCII");
}

/// Text of one line would be read, the rest of it as something else.
void requireLineFeeds(const FileView& file) {
  if (file.head.find('\r') == std::string::npos || file.head.find('\n') != std::string::npos) return;
  throw InputError(
      file.name() +
      ": its lines end with a carriage return alone, as on old Macintoshes; convert them to line " +
      "feeds (tr '\\r' '\\n' does)");
}

void requireText(const FileView& file) {
  requireByteText(file);
  requireLineFeeds(file);
}

bool isTextStl(const FileView& file) {
  std::string_view head = file.head;
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
  return inSmallLetters(head.substr(0, 5)) == "solid" && head.find('\0') == std::string_view::npos;
}

/// 80 bytes of anything, a count, 50 bytes a triangle; or text that begins with "solid". Some programs write
/// "solid" into the 80 bytes too, so the size decides.
std::vector<std::string> checkStl(const FileView& file) {
  constexpr std::uintmax_t kHeader = 84, kTriangle = 50;
  const bool text = isTextStl(file);
  if (file.size >= kHeader) {
    const std::uintmax_t count = littleEndian32(file.head, 80);
    if (file.size == kHeader + kTriangle * count) return {};
    requireByteText(file);
    if (!text && file.size < kHeader + kTriangle * count)
      refusePromise(file.name(),
                    std::to_string(count) + " triangles (" + std::to_string(kHeader + kTriangle * count) +
                        " bytes as binary STL)",
                    file.size);
    if (!text)
      throw InputError(file.name() + ": is not an STL file, or has " +
                       std::to_string(file.size - kHeader - kTriangle * count) + " bytes after its last of " +
                       std::to_string(count) + " triangles; export it again");
  }
  if (!text)
    throw InputError(file.name() +
                     ": is not an STL file (neither text that begins with \"solid\" nor long enough " +
                     "for binary STL); check its extension");
  requireLineFeeds(file);
  if (inSmallLetters(file.tail).find("endsolid") == std::string::npos)
    return {file.name() + ": has no closing \"endsolid\" and may be truncated; export it again"};
  return {};
}

/// Assimp would guess another format from the content, but the up axis goes by the extension.
void checkGltf(const FileView& file) {
  const std::string_view head = file.head;
  const std::size_t mark = head.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  const std::size_t begin = head.find_first_not_of(" \t\r\n", mark);
  if (begin == std::string_view::npos || head[begin] != '{') refuseBeginning(file, "{");
}

/// "glTF", a version and the size of the file, of 4 bytes each. Of one that is cut off, Assimp says that its
/// format is unknown.
void checkGlb(const FileView& file) {
  constexpr std::uintmax_t kHeader = 12;
  if (!file.head.starts_with("glTF")) refuseBeginning(file, "glTF");
  const std::uintmax_t size = file.size < kHeader ? kHeader : littleEndian32(file.head, 8);
  if (file.size < size) refusePromise(file.name(), std::to_string(size) + " bytes", file.size);
}

}  // namespace

std::vector<std::string> preflight(const fs::path& path, const std::string& extension) {
  const std::uintmax_t size = requireFileSize(path);
  requireKnownExtension(path, extension);
  const FileView file = openFile(path, size);
  if (extension == "stl") return checkStl(file);
  if (extension == "obj" || extension == "off" || extension == "ply") requireText(file);
  if (extension == "ply") requireSoundPly(path);
  if (extension == "gltf") requireByteText(file);
  if (extension == "gltf") checkGltf(file);
  if (extension == "glb") checkGlb(file);
  if (extension == "dae") requireSoundCollada(path);
  return {};
}

void requireWholeGlb(const fs::path& path) {
  checkGlb(openFile(path, fs::file_size(path)));
}

}  // namespace odemesh::sim
