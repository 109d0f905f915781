// Is there a file to read?
#pragma once

#include <filesystem>
#include <odemesh/sim/input_error.hpp>
#include <string>
#include <system_error>

namespace odemesh::sim {

/// Throws InputError, which names `path`, if that is no regular file; `wanted` is what it should be.
inline void requireRegularFile(const std::filesystem::path& path, const std::string& wanted) {
  using std::filesystem::file_type;
  std::error_code error;
  const file_type type = std::filesystem::status(path, error).type();
  if (type == file_type::not_found)
    throw InputError(path.string() + ": there is no such file; check the path");
  if (type == file_type::directory)
    throw InputError(path.string() + ": is a folder; name a " + wanted + " in it");
  if (type != file_type::regular)
    throw InputError(path.string() + ": can't be read as a file (" +
                     (error ? error.message() : "it is a device or a pipe") + "); give a regular file");
}

}  // namespace odemesh::sim
