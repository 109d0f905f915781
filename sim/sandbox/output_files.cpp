#include "output_files.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <odemesh/sim/input_error.hpp>
#include <string>
#include <vector>

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

struct NamedFile {
  const char* option;
  std::string file;
};

// Devices may be written twice.
bool isSameFile(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return false;
  std::error_code ignored;
  if (fs::is_other(fs::status(a, ignored))) return false;
  if (fs::equivalent(a, b, ignored)) return true;
  return fs::weakly_canonical(a, ignored) == fs::weakly_canonical(b, ignored);
}

std::vector<NamedFile> inputsOf(const Options& options) {
  std::vector<NamedFile> inputs{{"--script", options.script},
                                {"--ground", options.ground},
                                {"--replay", options.replay},
                                {"--play", options.play}};
  for (const std::string& file : options.files) inputs.push_back({"FILES", file});
  return inputs;
}

void requireDistinct(const NamedFile& output, const std::vector<NamedFile>& others) {
  for (const NamedFile& other : others)
    if (isSameFile(output.file, other.file))
      throw sim::InputError(std::string(output.option) + ": '" + output.file + "' is the file of " +
                            other.option + " as well; give it a name of its own");
}

}  // namespace

void requireWritableFiles(const Options& options) {
  std::vector<NamedFile> others = inputsOf(options);
  for (const NamedFile& output :
       {NamedFile{"--json", options.json}, NamedFile{"--screenshot", options.screenshot},
        NamedFile{"--video", options.video}, NamedFile{"--record", options.record},
        NamedFile{"--junit", options.junit}}) {
    requireDistinct(output, others);
    requireWritable(output.option, output.file);
    others.push_back(output);
  }
}

}  // namespace odemesh::sandbox
