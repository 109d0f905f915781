// Owners of OpenGL's objects, and the few calls around them that everything here needs.
#pragma once

#include <epoxy/gl.h>

#include <cstddef>
#include <initializer_list>
#include <utility>

#include "render/matrix.hpp"

namespace odemesh::sim::render {

/// Owns one name and deletes it with `kDelete(name)`.
template <auto kDelete>
class GlObject {
 public:
  GlObject() = default;
  explicit GlObject(GLuint name) : name_(name) {}
  GlObject(GlObject&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  GlObject& operator=(GlObject&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  ~GlObject() {
    if (name_ != 0) kDelete(name_);
  }
  [[nodiscard]] GLuint get() const { return name_; }

 private:
  GLuint name_ = 0;
};

// Through functions, as what libepoxy declares are pointers that are set at run time.
inline void deleteBuffer(GLuint name) {
  glDeleteBuffers(1, &name);
}
inline void deleteVertexArray(GLuint name) {
  glDeleteVertexArrays(1, &name);
}
inline void deleteTexture(GLuint name) {
  glDeleteTextures(1, &name);
}
inline void deleteRenderbuffer(GLuint name) {
  glDeleteRenderbuffers(1, &name);
}
inline void deleteFramebuffer(GLuint name) {
  glDeleteFramebuffers(1, &name);
}
inline void deleteShader(GLuint name) {
  glDeleteShader(name);
}
inline void deleteProgram(GLuint name) {
  glDeleteProgram(name);
}

using Buffer = GlObject<&deleteBuffer>;
using VertexArray = GlObject<&deleteVertexArray>;
using Texture = GlObject<&deleteTexture>;
using Renderbuffer = GlObject<&deleteRenderbuffer>;
using Framebuffer = GlObject<&deleteFramebuffer>;
using Shader = GlObject<&deleteShader>;
using Program = GlObject<&deleteProgram>;

/// generate<Buffer>(glGenBuffers) and the like.
template <class Object, class Generate>
[[nodiscard]] Object generate(Generate&& gen) {
  GLuint name = 0;
  gen(1, &name);
  return Object(name);
}

/// Attribute `index` of the vertex array that is bound: floats from the buffer that is bound.
inline void setAttribute(GLuint index, GLint floats, std::size_t stride, std::size_t offset) {
  glEnableVertexAttribArray(index);
  // OpenGL takes the offset as a pointer. NOLINTNEXTLINE(performance-no-int-to-ptr)
  const void* start = reinterpret_cast<const void*>(offset);
  glVertexAttribPointer(index, floats, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(stride), start);
}

/// A linked program and its uniforms by name; a name that the program does not use is ignored, as OpenGL
/// does.
class ShaderProgram {
 public:
  /// The sources in parts, one after the other. Throws RenderError with the driver's log.
  ShaderProgram(std::initializer_list<const char*> vertex_parts,
                std::initializer_list<const char*> fragment_parts);

  void use() const { glUseProgram(program_.get()); }
  // The program has to be in use.
  void set(const char* name, bool value) const { glUniform1i(at(name), value ? 1 : 0); }
  void set(const char* name, int value) const { glUniform1i(at(name), value); }
  void set(const char* name, double value) const { glUniform1f(at(name), static_cast<float>(value)); }
  void set(const char* name, double x, double y) const {
    glUniform2f(at(name), static_cast<float>(x), static_cast<float>(y));
  }
  void set(const char* name, const Vec3& v) const {
    glUniform3f(at(name), static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z));
  }
  void set(const char* name, const Colour& c) const { glUniform4f(at(name), c.r, c.g, c.b, c.a); }
  void set(const char* name, const Mat4& m) const {
    glUniformMatrix4fv(at(name), 1, GL_TRUE, m.asFloats().data());
  }

 private:
  [[nodiscard]] GLint at(const char* name) const { return glGetUniformLocation(program_.get(), name); }
  Program program_;
};

/// A colour (with a depth buffer) to draw into, with `samples` a pixel (0: one, without multisampling).
/// Throws RenderError if the driver refuses.
class RenderTarget {
 public:
  RenderTarget(int width, int height, int samples);
  [[nodiscard]] GLuint framebuffer() const { return framebuffer_.get(); }

 private:
  Renderbuffer colour_;
  Renderbuffer depth_;
  Framebuffer framebuffer_;
};

/// Binds the framebuffers that were bound when it was made once more at the end of its scope.
class FramebufferRestorer {
 public:
  FramebufferRestorer() {
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw_);
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read_);
  }
  ~FramebufferRestorer() {
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(draw_));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read_));
  }
  FramebufferRestorer(const FramebufferRestorer&) = delete;
  FramebufferRestorer& operator=(const FramebufferRestorer&) = delete;

 private:
  GLint draw_ = 0;
  GLint read_ = 0;
};

}  // namespace odemesh::sim::render
