// What is simulated: a scene under one collider, or under both, in step.
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <odemesh/sim/mesh_file.hpp>
#include <odemesh/sim/recorded_motion.hpp>
#include <odemesh/sim/scenes/scene.hpp>
#include <string>
#include <vector>

#include "viewer/framing.hpp"
#include "viewer/history.hpp"
#include "viewer/orbit_camera.hpp"

namespace odemesh::viewer {

/// Builds the scene from its beginning; the same at each call but for the collider.
using MakeScene = std::function<sim::SceneRun(sim::Collider)>;

/// How files that are dropped are read.
struct FileOptions {
  sim::LoadOptions load;
  std::vector<std::filesystem::path> model_path;  ///< for worlds
};

struct LogLine {
  enum class Kind { kNote, kWarning, kError };
  Kind kind;
  std::string text;
};

/// One world, and what was measured of it.
struct Side {
  sim::Collider collider;
  sim::SceneRun run;
  History history;

  [[nodiscard]] sim::World& world() const { return *run.world; }
};

/// Worlds that are stepped one after the other, so that all are at the same time. What is added, is added to
/// each. In place of a simulation it may play a recording: then there is one world, whose bodies are put
/// where they were.
class Session {
 public:
  /// Throws what `make` throws.
  Session(MakeScene make, sim::Collider collider, bool side_by_side, FileOptions files = {});

  /// The scene from its beginning, without what has been added since.
  void reset();
  /// Both colliders, odemesh first, or the one that was chosen before. Starts the scene anew. Not while a
  /// recording plays.
  void setSideBySide(bool on);
  [[nodiscard]] bool isSideBySide() const { return sides_.size() > 1; }
  /// From the next step on, with the bodies where they are. Does nothing side by side, or for a recording.
  void setCollider(sim::Collider collider);
  [[nodiscard]] sim::Collider collider() const { return collider_; }

  [[nodiscard]] std::deque<Side>& sides() { return sides_; }
  [[nodiscard]] const std::deque<Side>& sides() const { return sides_; }
  [[nodiscard]] double dt() const { return sides_[0].world().settings().dt; }
  [[nodiscard]] double time() const;
  /// Of the scene at its start.
  [[nodiscard]] const Extent& extent() const { return extent_; }

  /// One step of every world that has not failed; the first failure of each is logged. Of a recording, as
  /// much time.
  void step();

  [[nodiscard]] bool isPlaying() const { return motion_ != nullptr; }
  /// s, of the recording that plays, or 0.
  [[nodiscard]] double duration() const { return isPlaying() ? motion_->duration() : 0; }
  /// Goes to that time of the recording, or to its nearer end.
  void seek(double time);
  /// Goes to the next frame of the recording, or by a step where none plays.
  void singleStep();

  /// Lets another of the bodies fall that the scene started with, or of the file that was dropped last.
  void spawn();
  /// The same body, thrown along `ray` from where it starts.
  void throwAlong(const Ray& ray);
  /// A mesh file or a "shape:" falls into the scene; a world (.sdf, .world, .urdf) or a recording takes its
  /// place. Whatever is wrong with it goes to the log. Throws InputError if it can't be used; nothing has
  /// changed then. True if there is another scene now.
  bool open(const std::string& file);
  /// The same, with the error in the log.
  bool drop(const std::string& file);

  void note(LogLine::Kind kind, std::string text);
  [[nodiscard]] const std::vector<LogLine>& log() const { return log_; }

 private:
  [[nodiscard]] std::deque<Side> sidesOf(const MakeScene& make, bool side_by_side) const;
  void startScene(MakeScene make, bool side_by_side, std::shared_ptr<const sim::RecordedMotion> motion);
  void openWorld(const std::string& file);
  void openRecording(const std::string& file);
  void openMesh(const std::string& file);
  void collectSupply();
  [[nodiscard]] Vec3 placeAbove(double radius) const;
  void add(sim::BodySpec spec, const Vec3& centre, const Vec3& velocity);
  const sim::BodySpec& nextOfSupply();
  void logErrorsOf(const std::function<void()>& action);

  MakeScene make_;
  sim::Collider collider_;
  FileOptions files_;
  std::shared_ptr<const sim::RecordedMotion> motion_;  ///< that plays, or null
  double play_time_ = 0;                               ///< s, in it
  std::deque<Side> sides_;
  std::vector<sim::BodySpec> supply_;  ///< bodies to throw and to spawn
  std::size_t next_ = 0;
  std::size_t added_ = 0;
  Extent extent_;
  std::vector<LogLine> log_;
};

}  // namespace odemesh::viewer
