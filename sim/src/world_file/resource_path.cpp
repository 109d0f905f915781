#include "resource_path.hpp"

#include <cstdlib>
#include <sstream>
#include <system_error>

namespace odemesh::sim {
namespace {

namespace fs = std::filesystem;

// Of a list with colons in an environment variable.
void appendFolders(const char* variable, std::vector<fs::path>& out) {
  const char* value = std::getenv(variable);
  std::istringstream list(value == nullptr ? "" : value);
  for (std::string folder; std::getline(list, folder, ':');)
    if (!folder.empty()) out.emplace_back(folder);
}

// The rest of `uri` after `scheme`, if it has that.
bool takeScheme(const std::string& uri, const std::string& scheme, std::string& rest) {
  if (uri.rfind(scheme, 0) != 0) return false;
  rest = uri.substr(scheme.size());
  return true;
}

std::string existing(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) ? path.string() : std::string();
}

}  // namespace

ResourcePath::ResourcePath(const fs::path& file, std::vector<fs::path> folders)
    : file_(fs::absolute(file)), folders_(std::move(folders)) {
  for (const char* variable : {"GAZEBO_MODEL_PATH", "SDF_PATH", "GAZEBO_RESOURCE_PATH"})
    appendFolders(variable, folders_);
  folders_.push_back(file_.parent_path());
  folders_.push_back(file_.parent_path().parent_path());
}

std::string ResourcePath::find(const std::string& uri, const fs::path& from) const {
  std::string rest;
  if (takeScheme(uri, "file://", rest)) return existing(rest);
  if (!takeScheme(uri, "model://", rest) && !takeScheme(uri, "package://", rest)) {
    const fs::path& base = from.empty() ? file_ : from;
    if (std::string beside = existing(base.parent_path() / uri); !beside.empty()) return beside;
    rest = uri;
  }
  for (const fs::path& folder : folders_)
    if (std::string found = existing(folder / rest); !found.empty()) return found;
  return {};
}

std::string ResourcePath::text() const {
  std::string out;
  for (const fs::path& folder : folders_) out += (out.empty() ? "" : ", ") + folder.string();
  return out;
}

}  // namespace odemesh::sim
