// The panels over the picture, with Dear ImGui.
#pragma once

#include <memory>

#include "viewer/app.hpp"

struct GLFWwindow;

namespace odemesh::viewer {

/// Lives as long as the window, whose context has to be current.
class Panels {
 public:
  /// After the window's own callbacks are set; they keep being called.
  explicit Panels(GLFWwindow* window);
  ~Panels();
  Panels(const Panels&) = delete;
  Panels& operator=(const Panels&) = delete;

  void draw(App& app);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// Whether the cursor is over a panel, and whether a panel takes text.
[[nodiscard]] bool panelsWantMouse();
[[nodiscard]] bool panelsWantKeys();

}  // namespace odemesh::viewer
