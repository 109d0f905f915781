// Pictures, videos and the window, which a build without OpenGL has to do without.
#pragma once

#include <functional>
#include <memory>
#include <odemesh/sim/scenes/scene.hpp>
#include <string>
#include <vector>

#include "options.hpp"

namespace odemesh::sandbox {

/// Draws the worlds next to each other, seen alike, into options.screenshot. Returns why there is no picture,
/// or an empty text. Throws InputError for a file that can't be written.
[[nodiscard]] std::string savePicture(const std::vector<const sim::World*>& worlds, const Options& options);

/// A video of worlds next to each other, from their start on and seen from one place, in options.video.
class Film {
 public:
  /// Throws InputError if the file can't be written or ffmpeg is absent. The worlds have to outlive it.
  Film(const std::vector<const sim::World*>& worlds, const Options& options);
  ~Film();
  Film(const Film&) = delete;
  Film& operator=(const Film&) = delete;

  /// Why nothing is filmed, or an empty text.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// To be called once at the start and after each step of all worlds, with the time that they are at: films
  /// the frames that are due.
  void add(double time);
  /// Completes the file, and returns the number of its frames. Throws InputError if ffmpeg can't.
  std::size_t finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
  std::string problem_;
};

/// Shows the window until it is closed. Returns why there can be none, or an empty text. `warnings` go to its
/// log.
[[nodiscard]] std::string showWindow(const std::function<sim::SceneRun(sim::Collider)>& make,
                                     const std::vector<std::string>& warnings, const Options& options);

/// Shows the recording options.play in the window, like showWindow. Throws InputError for a file that is
/// none.
[[nodiscard]] std::string showRecording(const Options& options);

/// What has been drawn of a recording.
struct DrawnRecording {
  std::string problem;     ///< why nothing has been drawn, or an empty text
  std::size_t frames = 0;  ///< of the video
  double seconds = 0;      ///< that were played
};

/// Plays the recording options.play up to options.seconds, or to its end, into options.video; the last frame
/// is drawn into options.screenshot. Calls `progress` with the share that is done and the time. Throws
/// InputError for files that can't be read or written.
[[nodiscard]] DrawnRecording drawRecording(const Options& options,
                                           const std::function<void(double, double)>& progress);

/// What keys and mouse do in the window.
[[nodiscard]] std::string controlsHelp();

}  // namespace odemesh::sandbox
