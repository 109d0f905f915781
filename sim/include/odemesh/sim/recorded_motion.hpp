// A recording read back, to be shown again without a simulation.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <odemesh/sim/body.hpp>
#include <string>
#include <vector>

namespace odemesh::sim {

/// Bodies and their motion from a .glb file that `Recording::save` wrote. Frames are at increasing times from
/// 0.
struct RecordedMotion {
  /// A body's way: as many places as there are frames, or one if it stands still.
  struct Track {
    std::vector<Vec3> translations;
    std::vector<std::array<double, 4>> rotations;  ///< unit quaternions x, y, z, w
  };
  std::vector<BodySpec> bodies;  ///< as meshes; those that move have a mass, but not that of the recorded one
  std::vector<Track> tracks;     ///< in the order of the bodies
  std::vector<double> times;     ///< s, of the frames; at least one
  std::map<std::string, std::string> notes;

  [[nodiscard]] double duration() const { return times.back(); }
  /// Where a body is at a time, between frames by interpolation; before the first and after the last one,
  /// there.
  [[nodiscard]] Pose pose(std::size_t body, double time) const;
};

/// Whether a file can be read and has notes of `Recording::save` in it.
[[nodiscard]] bool isRecording(const std::filesystem::path& file);

/// Throws InputError that names the file if it is none of `Recording::save`, or damaged.
[[nodiscard]] RecordedMotion readRecording(const std::filesystem::path& file);

}  // namespace odemesh::sim
