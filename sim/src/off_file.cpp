#include "off_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/polygon.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "promised_size.hpp"
#include "text_file.hpp"
#include "words.hpp"

namespace odemesh::sim {
namespace {

class OffReader {
 public:
  explicit OffReader(const std::filesystem::path& path) : path_(path), file_(path, std::ios::binary) {
    skipByteOrderMark(file_);
  }

  [[nodiscard]] RawMesh run() {
    readHeader();
    for (std::int64_t i = 0; i < vertices_; ++i) readVertex(nextElement(i), i);
    for (std::int64_t i = 0; i < faces_; ++i) readFace(nextElement(vertices_ + i), i);
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(const std::string& problem) const {
    throw InputError(path_.string() + ": " + problem);
  }

  [[noreturn]] void refuse(const char* element, std::int64_t index, const std::string& problem) const {
    refuse(std::string(element) + ' ' + std::to_string(index) + problem +
           "; repair the file or export it again");
  }

  /// The next line that holds anything, without its comment.
  [[nodiscard]] bool nextLine() {
    while (std::getline(file_, line_)) {
      line_.resize(std::min(line_.size(), line_.find('#')));
      if (line_.find_first_not_of(kBlanksInLine) != std::string::npos) return true;
    }
    return false;
  }

  [[nodiscard]] Words nextElement(std::int64_t index) {
    if (!nextLine())
      refuse("ends after " + std::to_string(index) + " of " + std::to_string(vertices_ + faces_) +
             " vertices and faces; it is truncated, export it again");
    return Words(line_);
  }

  void readHeader() {
    if (!nextLine()) refuse("does not begin with \"OFF\"; check its extension");
    Words words(line_);
    requireKeyword(words.next());
    std::string_view count = words.next();
    if (count == "BINARY") refuse("is a binary OFF file, which is not supported; export it as text");
    if (count.empty()) {
      if (!nextLine()) refuseHeader();
      words = Words(line_);
    } else {
      words = Words(std::string_view(line_).substr(std::size_t(count.data() - line_.data())));
    }
    if (!words.take(vertices_) || !words.take(faces_) || vertices_ < 0 || faces_ < 0) refuseHeader();
    requireRoom(vertices_, "vertices", 6);  // "0 0 0" and a line end
    requireRoom(faces_, "faces", 2);
  }

  void requireKeyword(std::string_view keyword) const {
    if (!keyword.ends_with("OFF")) refuse("does not begin with \"OFF\"; check its extension");
    keyword.remove_suffix(3);
    if (keyword.find_first_not_of("STCN") != std::string_view::npos)
      refuse("has the keyword \"" + std::string(keyword.substr(0, 40)) +
             "OFF\", of which only OFF with colours (C), normals (N) and texture coordinates (ST) is " +
             "supported; export it in three dimensions");
  }

  [[noreturn]] void refuseHeader() const {
    refuse("has no counts of vertices and faces after \"OFF\"; export it again");
  }

  void requireRoom(std::int64_t count, const char* what, std::uintmax_t bytes_each) const {
    const std::uintmax_t size = std::filesystem::file_size(path_);
    if (static_cast<std::uintmax_t>(count) <= size / bytes_each) return;
    refusePromise(path_.string(), std::to_string(count) + ' ' + what, size);
  }

  void readVertex(Words words, std::int64_t index) {
    std::array<double, 3> xyz{};
    for (double& coordinate : xyz)
      if (!words.take(coordinate) || !std::isfinite(coordinate))
        refuse("vertex", index, " does not have three finite numbers");
    out_.mesh.vertices.push_back({xyz[0], xyz[1], xyz[2]});
  }

  void readFace(Words words, std::int64_t index) {
    std::int64_t corners = 0;
    if (!words.take(corners) || corners < 0) refuse("face", index, ": has no count of corners");
    corners_.clear();
    for (std::int64_t i = 0; i < corners; ++i) {
      std::int64_t vertex = 0;
      if (!words.take(vertex)) refuse("face", index, " does not have the corners it promises");
      if (vertex < 0 || vertex >= vertices_)
        refuse(
            "face", index,
            ": vertex " + std::to_string(vertex) + " does not exist, there are " + std::to_string(vertices_));
      corners_.push_back(static_cast<std::uint32_t>(vertex));
    }
    if (corners < 3) ++out_.points_and_lines;
    appendPolygon(out_.mesh, corners_);
  }

  const std::filesystem::path& path_;
  std::ifstream file_;
  std::string line_;
  std::int64_t vertices_ = 0, faces_ = 0;
  std::vector<std::uint32_t> corners_;  ///< of one face; kept for its storage
  RawMesh out_;
};

}  // namespace

RawMesh readOff(const std::filesystem::path& path) {
  return OffReader(path).run();
}

}  // namespace odemesh::sim
