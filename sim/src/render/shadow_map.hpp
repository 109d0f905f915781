// What the sun sees, so that surfaces know whether it reaches them.
#pragma once

#include "render/gl_objects.hpp"

namespace odemesh::sim::render {

/// The part of the scene that the map covers: a sphere around `centre`, in scene coordinates.
struct ShadowRegion {
  Vec3 centre;
  double radius = 1;
};

class ShadowMap {
 public:
  ShadowMap();

  /// A region around `region` that changes by whole texels and by sizes a fifth apart, so that shadows do not
  /// shimmer while bodies move. `origin`: of the scene, in the world.
  [[nodiscard]] static ShadowRegion steady(const ShadowRegion& region, const Vec3& origin, const Vec3& to_sun,
                                           int side);
  /// scene -> clip space of the sun.
  [[nodiscard]] static Mat4 toLight(const ShadowRegion& region, const Vec3& to_sun);
  /// scene -> texture coordinates and depth, all 0 to 1.
  [[nodiscard]] static Mat4 toTexture(const Mat4& to_light);
  /// Length of a texel in the scene.
  [[nodiscard]] static double texel(const ShadowRegion& region, int side) { return 2 * region.radius / side; }

  /// Binds and clears the map's framebuffer, of `side` texels each way; what is drawn next are the bodies
  /// that cast shadows. Throws RenderError if the driver can't provide it.
  void begin(int side);
  void bindTexture() const { glBindTexture(GL_TEXTURE_2D, depth_.get()); }

 private:
  void resize(int side);

  Texture depth_;
  Framebuffer framebuffer_;
  int side_ = 0;
};

}  // namespace odemesh::sim::render
