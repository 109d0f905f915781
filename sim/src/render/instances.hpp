// Places and colours of the copies of a mesh that one call draws.
#pragma once

#include <vector>

#include "render/gl_objects.hpp"

namespace odemesh::sim::render {

/// Attributes 2 to 5 of the shaders.
struct Instance {
  float to_scene[3][4];  ///< rows of mesh -> scene
  float colour[4];       ///< linear

  /// `colour` is sRGB.
  Instance(const Mat4& placed, const Colour& srgb);
};

class InstanceBuffer {
 public:
  /// In place of what it held.
  void upload(const std::vector<Instance>& instances);
  /// Makes instance `first` and those that follow the attributes of the vertex array that is bound.
  void attach(std::size_t first) const;

 private:
  Buffer buffer_ = generate<Buffer>(glGenBuffers);
};

}  // namespace odemesh::sim::render
