#include "viewer/window.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <epoxy/gl.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/render/render_error.hpp>
#include <string>
#include <utility>

#include "viewer/frame_times.hpp"
#include "viewer/panels.hpp"
#include "viewer/script.hpp"

namespace odemesh::viewer {
namespace {

constexpr double kFrame = 1.0 / 60;  // s
/// The longest that a frame is to take, s, by a graphics card, which is to be in time for a display of 60 Hz,
/// and by the processor. The simulation gets what drawing leaves of it; where that is too little it runs
/// slower than real time, and the display stays usable.
constexpr double kLongestFrame = 1.0 / 75;
constexpr double kLongestSoftwareFrame = 1.0 / 24;
constexpr double kLeastSimulation = 0.005;  // s

/// Says whether there is time for another step, by what the last one took.
std::function<bool()> budgetOf(double seconds) {
  const double end = glfwGetTime() + seconds;
  return [end, last = glfwGetTime(), is_first = true]() mutable {
    const double now = glfwGetTime();
    const double step = now - std::exchange(last, now);
    return std::exchange(is_first, false) || now + step < end;
  };
}

/// On Linux, X11 and Wayland are found by one of these. Without them, libwayland, which GLFW asks too, would
/// print a line of its own.
bool mayHaveDisplay() {
#if defined(__linux__)
  constexpr std::array kVariables{"DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"};
  return std::ranges::any_of(kVariables, [](const char* name) { return std::getenv(name) != nullptr; });
#else
  return true;
#endif
}

class GlfwLibrary {
 public:
  GlfwLibrary() : ready_(glfwInit() == GLFW_TRUE) {}
  ~GlfwLibrary() { glfwTerminate(); }
  GlfwLibrary(const GlfwLibrary&) = delete;
  GlfwLibrary& operator=(const GlfwLibrary&) = delete;
  [[nodiscard]] bool isReady() const { return ready_; }

 private:
  bool ready_;
};

struct DestroyWindow {
  void operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }
};
using WindowHandle = std::unique_ptr<GLFWwindow, DestroyWindow>;

std::string lastError() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text != nullptr ? text : "no reason given";
}

/// A window whose context is current, or null.
WindowHandle makeWindow(const WindowOptions& options, int samples) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SAMPLES, samples);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);  // beside which clearing the depth alone takes longer
  WindowHandle window(glfwCreateWindow(options.width, options.height, "odemesh", nullptr, nullptr));
  if (window != nullptr) glfwMakeContextCurrent(window.get());
  return window;
}

std::string rendererName() {
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  return name != nullptr ? name : "an unknown renderer";
}

/// Whether the processor draws, for which smooth edges cost a third of its time.
bool isSoftwareRenderer() {
  const std::string renderer = rendererName();
  return renderer.find("llvmpipe") != std::string::npos || renderer.find("softpipe") != std::string::npos ||
         renderer.find("SwiftShader") != std::string::npos;
}

WindowHandle openWindow(const WindowOptions& options) {
  constexpr int kSamples = 4;
  WindowHandle window = makeWindow(options, kSamples);
  if (window == nullptr || isSoftwareRenderer()) {
    window.reset();
    window = makeWindow(options, 0);
  }
  return window;
}

App& appOf(GLFWwindow* window) {
  return *static_cast<App*>(glfwGetWindowUserPointer(window));
}

/// Pixels of the picture in one of the units that the cursor is measured in.
double pixelsPerUnit(GLFWwindow* window) {
  int units = 0;
  glfwGetWindowSize(window, &units, nullptr);
  return units > 0 ? static_cast<double>(appOf(window).width()) / units : 1;
}

std::optional<Button> buttonOf(int button) {
  if (button == GLFW_MOUSE_BUTTON_LEFT) return Button::kLeft;
  if (button == GLFW_MOUSE_BUTTON_RIGHT) return Button::kRight;
  if (button == GLFW_MOUSE_BUTTON_MIDDLE) return Button::kMiddle;
  return std::nullopt;
}

void onKey(GLFWwindow* window, int key, int, int action, int) {
  if (action == GLFW_RELEASE || panelsWantKeys()) return;
  if (key == GLFW_KEY_ESCAPE) key = 'Q';
  if (key == GLFW_KEY_KP_ADD) key = '=';
  if (key == GLFW_KEY_KP_SUBTRACT) key = '-';
  // GLFW's codes of printable keys are their upper case ASCII characters.
  if (key > 0 && key < 128) appOf(window).pressKey(static_cast<char>(key));
}

void onButton(GLFWwindow* window, int button, int action, int) {
  const std::optional<Button> which = buttonOf(button);
  if (!which) return;
  if (action == GLFW_RELEASE) return appOf(window).releaseButton(*which);
  if (panelsWantMouse()) return;
  double x = 0;
  double y = 0;
  glfwGetCursorPos(window, &x, &y);
  const double scale = pixelsPerUnit(window);
  appOf(window).pressButton(*which, x * scale, y * scale);
}

void onCursor(GLFWwindow* window, double x, double y) {
  const double scale = pixelsPerUnit(window);
  appOf(window).moveCursor(x * scale, y * scale);
}

void onScroll(GLFWwindow* window, double, double steps) {
  if (!panelsWantMouse()) appOf(window).scroll(steps);
}

void onDrop(GLFWwindow* window, int count, const char** paths) {
  const std::vector<std::string> files(paths, paths + count);
  appOf(window).dropFiles(files);
}

void installCallbacks(GLFWwindow* window, App& app) {
  glfwSetWindowUserPointer(window, &app);
  glfwSetKeyCallback(window, onKey);
  glfwSetMouseButtonCallback(window, onButton);
  glfwSetCursorPosCallback(window, onCursor);
  glfwSetScrollCallback(window, onScroll);
  glfwSetDropCallback(window, onDrop);
}

sim::Image readWindow(const App& app) {
  sim::Image image{app.width(), app.height(), {}};
  const std::size_t row = static_cast<std::size_t>(4) * image.width;
  image.rgba.resize(row * image.height);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, image.width, image.height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  for (std::size_t top = 0, bottom = image.height - 1; top < bottom; ++top, --bottom)
    std::swap_ranges(image.rgba.begin() + top * row, image.rgba.begin() + (top + 1) * row,
                     image.rgba.begin() + bottom * row);
  for (std::size_t i = 3; i < image.rgba.size(); i += 4) image.rgba[i] = 255;
  return image;
}

/// A window with everything that draws into it.
class Viewer {
 public:
  Viewer(GLFWwindow* window, App& app, const WindowOptions& options)
      : window_(window), app_(app), options_(options), panels_(window) {
    if (!is_software_) return;
    app_.view.render.shadow_side = 768;
    if (options.chooses_quality) app_.view.render.quality = sim::Quality::kLow;
  }

  void showUntilClosed() {
    double last = glfwGetTime();
    while (glfwWindowShouldClose(window_) == GLFW_FALSE && !app_.wants_to_close) {
      const double now = glfwGetTime();
      const FrameTime time = showFrame(now - last);
      last = now;
      if (options_.frames == 0) {
        glfwWaitEventsTimeout(std::max(1e-4, kFrame - (glfwGetTime() - now)));
        continue;
      }
      glfwPollEvents();
      times_.add(time);
      if (times_.size() == static_cast<std::size_t>(options_.frames)) break;
    }
    report();
    finish();
  }

  void play(Script& script) {
    while (!app_.wants_to_close && script.playFrame(app_)) {
      app_.advance(kFrame);
      drawFrame();
      if (const std::string file = script.takePicture(); !file.empty()) sim::savePng(readWindow(app_), file);
      glfwSwapBuffers(window_);
      glfwPollEvents();
    }
    finish();
  }

 private:
  void report() const {
    if (options_.frames == 0) return;
    const sim::DrawCounts& counts = renderer_.counts();
    const std::size_t frames = std::max<std::size_t>(1, times_.size());
    std::printf("%zu frames of %d x %d, %s quality, by %s\n", times_.size(), app_.width(), app_.height(),
                app_.view.render.quality == sim::Quality::kHigh ? "high" : "low", rendererName().c_str());
    std::fputs(times_.text().c_str(), stdout);
    std::printf("a frame of the scene: %zu drawing calls, %zu triangles, %zu bytes uploaded\n",
                counts.calls / frames, counts.triangles / frames, counts.bytes / frames);
    std::printf("simulated at %.0f%% of the chosen speed\n", 100 * pace_ / static_cast<double>(frames));
  }

  FrameTime showFrame(double seconds) {
    FrameClock clock;
    drawFrame();
    savePictures();
    glFlush();  // whoever draws does so beside the simulation
    clock.endPart(&FrameTime::drawing);
    app_.advance(seconds, budgetOf(std::max(kLeastSimulation, longest_frame_ - drawing_)));
    clock.endPart(&FrameTime::simulation);
    glfwSwapBuffers(window_);
    if (options_.frames > 0) glFinish();
    clock.endPart(&FrameTime::waiting);
    const FrameTime time = clock.finish();
    pace_ += app_.keptPace();
    drawing_ = 1e-3 * (time.drawing + (is_software_ ? time.waiting : 0));  // a card may wait for the display
    return time;
  }

  void drawFrame() {
    int width = 0;
    int height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    if (width < 1 || height < 1) return;  // minimised
    app_.resize(width, height);
    glClearColor(1, 1, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    app_.draw(renderer_);
    panels_.draw(app_);
  }

  void savePictures() {
    if (!app_.wants_picture) return;
    app_.wants_picture = false;
    const std::string file = options_.screenshot.empty() ? "odemesh.png" : options_.screenshot;
    sim::savePng(readWindow(app_), file);
    app_.session().note(LogLine::Kind::kNote, "picture saved as " + file);
  }

  void finish() {
    if (options_.screenshot.empty()) return;
    drawFrame();
    sim::savePng(readWindow(app_), options_.screenshot);
  }

  GLFWwindow* window_;
  App& app_;
  const WindowOptions& options_;
  sim::Renderer renderer_;
  Panels panels_;
  FrameTimes times_;
  const bool is_software_ = isSoftwareRenderer();
  const double longest_frame_ = is_software_ ? kLongestSoftwareFrame : kLongestFrame;
  double drawing_ = 0;  ///< s of the last frame
  double pace_ = 0;     ///< sum over the frames
};

}  // namespace

std::string showWindow(App& app, const WindowOptions& options) {
  std::optional<Script> script;
  if (!options.script.empty()) script.emplace(options.script);
  if (!mayHaveDisplay()) return "no display (neither DISPLAY nor WAYLAND_DISPLAY is set)";
  const GlfwLibrary glfw;
  if (!glfw.isReady()) return lastError();
  const WindowHandle window = openWindow(options);
  if (window == nullptr) return lastError();
  glfwSwapInterval(options.frames > 0 ? 0 : 1);  // as fast as they come, where they are timed
  installCallbacks(window.get(), app);
  app.resize(options.width, options.height);
  app.frameStart();
  try {
    Viewer viewer(window.get(), app, options);
    if (script) {
      viewer.play(*script);
    } else {
      viewer.showUntilClosed();
    }
  } catch (const sim::RenderError& error) {
    return error.what();
  }
  return "";
}

}  // namespace odemesh::viewer
