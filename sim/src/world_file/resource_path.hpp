// Where the files are that a world names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace odemesh::sim {

/// Looks up what SDF and URDF files call a URI. Folders are tried in the order they were given.
class ResourcePath {
 public:
  /// `file` is the world's; `folders` come before those of the environment.
  ResourcePath(const std::filesystem::path& file, std::vector<std::filesystem::path> folders);

  /// model://NAME/REST, package://NAME/REST, file:///PATH, an absolute path, or one relative to the folder of
  /// `from` (empty: the world's file). "" if there is no such file or folder.
  [[nodiscard]] std::string find(const std::string& uri, const std::filesystem::path& from = {}) const;

  /// The folders, for messages.
  [[nodiscard]] std::string text() const;

 private:
  std::filesystem::path file_;
  std::vector<std::filesystem::path> folders_;
};

}  // namespace odemesh::sim
