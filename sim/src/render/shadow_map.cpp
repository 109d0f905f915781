#include "render/shadow_map.hpp"

#include <odemesh/sim/render/render_error.hpp>

namespace odemesh::sim::render {

ShadowMap::ShadowMap()
    : depth_(generate<Texture>(glGenTextures)), framebuffer_(generate<Framebuffer>(glGenFramebuffers)) {
  glBindTexture(GL_TEXTURE_2D, depth_.get());
  glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, kSide, kSide, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT,
               nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  const FramebufferRestorer restorer;
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.get());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth_.get(), 0);
  glDrawBuffer(GL_NONE);
  glReadBuffer(GL_NONE);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw RenderError("the OpenGL driver can't make a shadow map");
}

Mat4 ShadowMap::toLight(const ShadowRegion& region, const Vec3& to_sun) {
  return orthographic(region.radius) * fromPose(lookAt(region.centre, region.centre - to_sun));
}

Mat4 ShadowMap::toTexture(const Mat4& to_light) {
  Mat4 halve;
  for (int i = 0; i < 3; ++i) {
    halve.row[i][i] = 0.5;
    halve.row[i][3] = 0.5;
  }
  return halve * to_light;
}

void ShadowMap::begin() const {
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer_.get());
  glViewport(0, 0, kSide, kSide);
  glClear(GL_DEPTH_BUFFER_BIT);
}

}  // namespace odemesh::sim::render
