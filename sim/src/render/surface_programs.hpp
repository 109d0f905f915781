// Variants of the shaders of surfaces, each without what it does not need: drivers that draw on the processor
// work through both sides of a branch.
#pragma once

#include <compare>
#include <map>
#include <odemesh/sim/render/renderer.hpp>

#include "render/gl_objects.hpp"

namespace odemesh::sim::render {

/// What a variant draws.
struct SurfaceFeatures {
  bool plain = false;  ///< light at the vertices; knows neither `flat` nor `wireframe`
  bool shadows = false;
  bool flat = false;
  bool wireframe = false;
  bool grid = false;
  bool fade = false;
  auto operator<=>(const SurfaceFeatures&) const = default;
};

class SurfacePrograms {
 public:
  /// Compiled when it is asked for first. Throws RenderError if the driver refuses it.
  [[nodiscard]] const ShaderProgram& get(const SurfaceFeatures& features);

 private:
  std::map<SurfaceFeatures, ShaderProgram> programs_;
};

}  // namespace odemesh::sim::render
