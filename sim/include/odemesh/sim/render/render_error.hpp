// How rendering says that it can't be done here.
#pragma once

#include <stdexcept>

namespace odemesh::sim {

/// Something that pictures need is absent or failed: EGL, OpenGL 3.3, memory. `what()` names it and
/// the remedy, and can be printed as it is. The simulation itself does not depend on any of it.
class RenderError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace odemesh::sim
