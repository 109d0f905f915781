// The motion of a world as a glTF 2.0 animation, which Blender and web viewers open.
#pragma once

#include <filesystem>
#include <map>
#include <odemesh/sim/world.hpp>
#include <string>
#include <vector>

namespace odemesh::sim {

/// Whether this build has tinygltf; without it `Recording::save` throws and says so.
[[nodiscard]] bool canSaveRecordings();

/// Collects the poses of a world's bodies, a frame at equal distances of simulated time, the beginning
/// included. The world has to outlive it, and no bodies may be added in between.
class Recording {
 public:
  /// Throws InputError unless `frames_per_second` is from 0.1 to 1000.
  explicit Recording(const World& world, double frames_per_second = 30);

  /// To be called after each step; keeps the state where a frame is due.
  void add();

  [[nodiscard]] std::size_t frameCount() const { return times_.size(); }

  /// Keeps a text with the file (in the asset's extras, under "odemesh"), for instance how to repeat the run.
  void note(const std::string& key, const std::string& value) { notes_[key] = value; }

  /// Writes a .glb: a root node that turns z up into glTF's y up, below it a node for each body, and below
  /// that one for each part with its mesh. Bodies that move have an animation of translation and rotation.
  /// Meshes are shared as in the world; planes become squares of 20 m. Throws InputError that names the file
  /// if it can't be written.
  void save(const std::filesystem::path& file) const;

  /// A frame's poses, body by body, and its time in s.
  [[nodiscard]] const std::vector<Pose>& poses(std::size_t frame) const { return frames_[frame]; }
  [[nodiscard]] double time(std::size_t frame) const { return times_[frame]; }
  [[nodiscard]] const World& world() const { return *world_; }
  [[nodiscard]] const std::map<std::string, std::string>& notes() const { return notes_; }

 private:
  void keep();

  const World* world_;
  double interval_;
  std::vector<double> times_;
  std::vector<std::vector<Pose>> frames_;
  std::map<std::string, std::string> notes_;
};

/// The notes of a recording that `save` wrote. Throws InputError that names the file.
[[nodiscard]] std::map<std::string, std::string> readRecordingNotes(const std::filesystem::path& file);

}  // namespace odemesh::sim
