#include "output_files.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <odemesh/sim/input_error.hpp>

namespace odemesh::sandbox {
namespace {

namespace fs = std::filesystem;

// To open a pipe or a device might have an effect, or wait for a reader.
void requireWritable(const char* option, const std::string& file) {
  if (file.empty()) return;
  std::error_code ignored;
  const fs::file_status before = fs::status(file, ignored);
  if (fs::is_other(before)) return;
  if (!std::ofstream(file, std::ios::app))
    throw sim::InputError(std::string(option) + ": '" + file + "' can't be written (" + std::strerror(errno) +
                          "); give a file in a folder that exists");
  if (!fs::exists(before)) fs::remove(file, ignored);
}

}  // namespace

void requireWritableFiles(const Options& options) {
  requireWritable("--json", options.json);
  requireWritable("--screenshot", options.screenshot);
  requireWritable("--video", options.video);
  requireWritable("--record", options.record);
  requireWritable("--junit", options.junit);
}

}  // namespace odemesh::sandbox
