#include "render/shadow_map.hpp"

#include <cmath>
#include <odemesh/sim/render/render_error.hpp>
#include <string>

namespace odemesh::sim::render {

ShadowMap::ShadowMap()
    : depth_(generate<Texture>(glGenTextures)), framebuffer_(generate<Framebuffer>(glGenFramebuffers)) {
  glBindTexture(GL_TEXTURE_2D, depth_.get());
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
}

void ShadowMap::resize(int side) {
  side_ = side;
  glBindTexture(GL_TEXTURE_2D, depth_.get());
  glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, side, side, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT,
               nullptr);
  glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth_.get(), 0);
  glDrawBuffer(GL_NONE);
  if (glCheckFramebufferStatus(GL_DRAW_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw RenderError("the OpenGL driver can't make a shadow map of " + std::to_string(side) +
                      " texels a side");
}

ShadowRegion ShadowMap::steady(const ShadowRegion& region, const Vec3& origin, const Vec3& to_sun, int side) {
  ShadowRegion out;
  // Room for the centre to be moved by half a texel.
  out.radius = std::exp2(std::ceil(4 * std::log2(region.radius * (1 + 1.0 / side))) / 4);
  const double step = texel(out, side);
  const Mat3 axes =
      lookAt({}, -to_sun).rotation;  // rows: to the right and up as the sun sees it, and towards it
  Vec3 centre = axes * (region.centre + origin);
  centre.x = std::round(centre.x / step) * step;
  centre.y = std::round(centre.y / step) * step;
  out.centre = axes.transposed() * centre - origin;
  return out;
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

void ShadowMap::begin(int side) {
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer_.get());
  if (side != side_) resize(side);
  glViewport(0, 0, side, side);
  glClear(GL_DEPTH_BUFFER_BIT);
}

}  // namespace odemesh::sim::render
