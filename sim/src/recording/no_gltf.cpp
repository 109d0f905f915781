// Stands in for gltf_file.cpp in a build without tinygltf.
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/recorded_motion.hpp>
#include <odemesh/sim/recording.hpp>

namespace odemesh::sim {

bool canSaveRecordings() {
  return false;
}

void Recording::save(const std::filesystem::path& file) const {
  throw InputError(file.string() +
                   ": this build writes no recordings; install libtinygltf-dev and build again");
}

bool isRecording(const std::filesystem::path&) {
  return false;
}

std::map<std::string, std::string> readRecordingNotes(const std::filesystem::path& file) {
  throw InputError(file.string() +
                   ": this build reads no recordings; install libtinygltf-dev and build again");
}

RecordedMotion readRecording(const std::filesystem::path& file) {
  static_cast<void>(readRecordingNotes(file));  // throws
  return {};
}

}  // namespace odemesh::sim
