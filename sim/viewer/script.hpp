// Events from a file in place of the user's: what tests of the window and recorded demonstrations play.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "viewer/app.hpp"

namespace odemesh::viewer {

/// A line an event, "#" begins a comment; positions are in pixels from the upper left corner:
///
///   key K            a command's key, or "space"
///   press B X Y      B is left, right or middle
///   move X Y
///   release B
///   scroll STEPS
///   drop FILE        the rest of the line
///   frames N         shows N frames of 1/60 s; events between two such lines happen in one frame
///   picture FILE     saves the next frame, panels included
class Script {
 public:
  /// Throws InputError that names the file and the line.
  explicit Script(const std::string& file);

  /// Plays the events up to the next frame. False after the last one.
  [[nodiscard]] bool playFrame(App& app);
  /// The file that the frame is to be saved as, or empty; each is given once.
  [[nodiscard]] std::string takePicture();

 private:
  void play(const std::string& line, App& app);

  std::string file_;
  std::vector<std::string> lines_;  ///< by number, comments taken away
  std::size_t next_ = 0;
  int frames_ = 0;  ///< still to be shown
  std::string picture_;
};

}  // namespace odemesh::viewer
