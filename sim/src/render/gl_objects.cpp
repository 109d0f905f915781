#include "render/gl_objects.hpp"

#include <array>
#include <odemesh/sim/render/render_error.hpp>
#include <string>

namespace odemesh::sim::render {

namespace {

Shader compile(GLenum stage, std::initializer_list<const char*> parts) {
  Shader shader(glCreateShader(stage));
  glShaderSource(shader.get(), static_cast<GLsizei>(parts.size()), parts.begin(), nullptr);
  glCompileShader(shader.get());
  GLint compiled = GL_FALSE;
  glGetShaderiv(shader.get(), GL_COMPILE_STATUS, &compiled);
  if (compiled == GL_TRUE) return shader;
  std::array<char, 1024> log{};
  glGetShaderInfoLog(shader.get(), static_cast<GLsizei>(log.size()), nullptr, log.data());
  throw RenderError(std::string("the OpenGL driver refuses a shader: ") + log.data());
}

Renderbuffer storage(GLenum format, int width, int height, int samples) {
  auto buffer = generate<Renderbuffer>(glGenRenderbuffers);
  glBindRenderbuffer(GL_RENDERBUFFER, buffer.get());
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
  return buffer;
}

}  // namespace

ShaderProgram::ShaderProgram(std::initializer_list<const char*> vertex_parts,
                             std::initializer_list<const char*> fragment_parts)
    : program_(glCreateProgram()) {
  const Shader vertex = compile(GL_VERTEX_SHADER, vertex_parts);
  const Shader fragment = compile(GL_FRAGMENT_SHADER, fragment_parts);
  glAttachShader(program_.get(), vertex.get());
  glAttachShader(program_.get(), fragment.get());
  glLinkProgram(program_.get());
  GLint linked = GL_FALSE;
  glGetProgramiv(program_.get(), GL_LINK_STATUS, &linked);
  if (linked == GL_TRUE) return;
  std::array<char, 1024> log{};
  glGetProgramInfoLog(program_.get(), static_cast<GLsizei>(log.size()), nullptr, log.data());
  throw RenderError(std::string("the OpenGL driver can't link a shader program: ") + log.data());
}

RenderTarget::RenderTarget(int width, int height, int samples)
    : colour_(storage(GL_RGBA8, width, height, samples)),
      depth_(storage(GL_DEPTH_COMPONENT24, width, height, samples)),
      framebuffer_(generate<Framebuffer>(glGenFramebuffers)) {
  const FramebufferRestorer restorer;
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.get());
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour_.get());
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_.get());
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw RenderError("the OpenGL driver can't draw a picture of " + std::to_string(width) + " x " +
                      std::to_string(height) + " pixels; choose a smaller one");
}

}  // namespace odemesh::sim::render
