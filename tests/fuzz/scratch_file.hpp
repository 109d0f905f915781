// A file for what is tested to read.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>

namespace odemesh::fuzz {

/// Writes `content` to a file that is there until the next call with the same name. In memory where there is
/// such a file system.
[[nodiscard]] inline std::filesystem::path scratchFile(const std::string& name,
                                                       std::span<const std::uint8_t> content) {
  namespace fs = std::filesystem;
  static const fs::path folder = [] {
    const fs::path memory = "/dev/shm";
    const fs::path parent = fs::is_directory(memory) ? memory : fs::temp_directory_path();
    fs::path own = parent / ("odemesh-fuzz-" + std::to_string(getpid()));
    fs::create_directories(own);
    return own;
  }();
  std::ofstream(folder / name, std::ios::binary)
      .write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
  return folder / name;
}

}  // namespace odemesh::fuzz
