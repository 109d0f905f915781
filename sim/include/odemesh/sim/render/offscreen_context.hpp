// An OpenGL 3.3 core context without a window or a display, through EGL.
#pragma once

#include <memory>
#include <string>

namespace odemesh::sim {

/// Makes the context current on the thread that creates it, and gives it back when destroyed. Tries Mesa's
/// surfaceless platform first, then the graphics devices, then the default display; one without a GPU renders
/// in software.
class OffscreenContext {
 public:
  /// Throws RenderError with what was tried if no way works.
  OffscreenContext();
  ~OffscreenContext();
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;

  /// Whether this machine has EGL at all. Where it has, the constructor is expected to succeed.
  [[nodiscard]] static bool hasEgl();

  /// OpenGL's version and the name of what renders, for reports.
  [[nodiscard]] std::string description() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace odemesh::sim
