// The viewer without its window: what keys, mouse and dropped files do, and what is drawn.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "viewer/artist.hpp"
#include "viewer/picking.hpp"
#include "viewer/session.hpp"

namespace odemesh::viewer {

enum class Button { kLeft, kRight, kMiddle };

inline constexpr double kSlowest = 1.0 / 64;
inline constexpr double kFastest = 16;

class App;

/// Something that a key does. Keys are upper case ASCII characters.
struct Command {
  char key;
  const char* name;
  void (*run)(App&);
  /// Whether it is on, for switches; null for everything else.
  bool (*is_on)(const App&);
};

/// All commands, in the order of the help.
[[nodiscard]] std::span<const Command> commands();
/// A line for each command and for the mouse.
[[nodiscard]] std::string controlsHelp();

/// Positions are in pixels of the picture, from its upper left corner; side by side, the odemesh half is on
/// the left.
class App {
 public:
  explicit App(Session session);

  void resize(int width, int height);
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }

  /// Runs the command of that key, if there is one.
  void pressKey(char key);
  /// The left button drags the body under the cursor, or turns the view where there is none; the others move
  /// the view.
  void pressButton(Button button, double x, double y);
  void releaseButton(Button button);
  void moveCursor(double x, double y);
  void scroll(double steps);
  void dropFiles(std::span<const std::string> files);

  /// Simulates `seconds` of the user's time, times the speed, in whole steps; the rest is kept for the next
  /// call. Asks `keep_going` before each step, and where that is false forgets the time that is left: the
  /// simulation then runs slower than it should.
  void advance(double seconds, const std::function<bool()>& keep_going = {});
  void singleStep();

  /// The bodies where they are; side by side those of odemesh, with room around them.
  void frameAll();
  /// The bodies at the start of the scene, and their way down to what lies below them.
  void frameStart();
  void setSideBySide(bool on);
  void reset();
  /// By `seconds` on, or back, in a recording.
  void skip(double seconds);
  void throwBody();
  void setSpeed(double speed);

  [[nodiscard]] Session& session() { return session_; }
  [[nodiscard]] const Session& session() const { return session_; }
  [[nodiscard]] const OrbitCamera& camera() const { return camera_; }
  [[nodiscard]] const std::optional<Drag>& drag() const { return drag_; }
  [[nodiscard]] double speed() const { return speed_; }
  /// Steps done per step that was due in the latest call of `advance`.
  [[nodiscard]] double keptPace() const { return kept_pace_; }

  /// Where a side is drawn, from the lower left corner.
  [[nodiscard]] sim::Viewport viewportOf(std::size_t side) const;
  /// What is drawn of a side, with everything laid over it.
  [[nodiscard]] sim::Snapshot snapshotOf(std::size_t side);
  /// Draws all sides into the framebuffer that is bound.
  void draw(sim::Renderer& renderer);
  /// The same as a picture, off screen.
  [[nodiscard]] sim::Image picture(sim::Renderer& renderer);

  ViewOptions view;
  bool paused = false;
  bool wants_to_close = false;
  bool wants_picture = false;

 private:
  [[nodiscard]] std::size_t sideAt(double x) const;
  [[nodiscard]] Ray rayAt(std::size_t side, double x, double y) const;
  void frame(const sim::Snapshot& snapshot);
  void stepOnce();
  void restart();
  void endDrag();

  Session session_;
  OrbitCamera camera_;
  Artist artist_;
  int width_ = 1280;
  int height_ = 720;
  double cursor_x_ = 640;
  double cursor_y_ = 360;
  std::optional<Button> moving_view_;
  std::optional<Drag> drag_;
  std::size_t drag_side_ = 0;
  double speed_ = 1;
  double owed_ = 0;  ///< s of simulation
  double kept_pace_ = 1;
};

}  // namespace odemesh::viewer
