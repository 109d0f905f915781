#include "render/instances.hpp"

#include <algorithm>

namespace odemesh::sim::render {

namespace {

/// From sRGB, nearly: the shader takes the square root again.
float linear(float channel) {
  const float c = std::clamp(channel, 0.0F, 1.0F);
  return c * c;
}

}  // namespace

Instance::Instance(const Mat4& placed, const Colour& srgb)
    : colour{linear(srgb.r), linear(srgb.g), linear(srgb.b), std::clamp(srgb.a, 0.0F, 1.0F)} {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) to_scene[i][j] = static_cast<float>(placed.row[i][j]);
}

void InstanceBuffer::upload(const std::vector<Instance>& instances) {
  glBindBuffer(GL_ARRAY_BUFFER, buffer_.get());
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(instances.size() * sizeof(Instance)),
               instances.data(), GL_STREAM_DRAW);
}

void InstanceBuffer::attach(std::size_t first) const {
  glBindBuffer(GL_ARRAY_BUFFER, buffer_.get());
  for (GLuint i = 0; i < 4; ++i) {  // three rows and the colour
    setAttribute(2 + i, 4, sizeof(Instance), first * sizeof(Instance) + i * sizeof(float[4]));
    glVertexAttribDivisor(2 + i, 1);
  }
}

}  // namespace odemesh::sim::render
