#include <algorithm>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/render/render_error.hpp>
#include <odemesh/sim/render/renderer.hpp>
#include <string>

#include "render/bounds.hpp"
#include "render/contact_arrows.hpp"
#include "render/gpu_mesh.hpp"
#include "render/overlay_shapes.hpp"
#include "render/shaders.hpp"
#include "render/shadow_map.hpp"

namespace odemesh::sim {

using namespace render;

namespace {

const Vec3 kToSun = normalised(Vec3{-0.45, -0.55, 1.0});

const Vec3 kToFill = normalised(Vec3{-kToSun.x, -kToSun.y, 0.4});

/// The ground fades between these multiples of the distance from the eye to its target.
constexpr double kFadeStart = 2.5;
constexpr double kFadeEnd = 9;

/// One picture's worth of matrices. The scene has world axes and the camera's target as its origin.
struct View {
  Vec3 origin;
  Vec3 eye;
  double distance;  ///< from the eye to its target
  Mat4 to_clip;

  View(const Camera& camera, double aspect)
      : origin(camera.target), eye(camera.eye - camera.target), distance(length(eye)) {
    const Mat4 projection = perspective(halfHeight(camera), aspect, 0.01 * distance, 100 * distance);
    to_clip = projection * fromPose(lookAt(eye, {}));
  }

  [[nodiscard]] Mat4 placed(const Pose& pose, const Vec3& local_origin) const {
    return fromPose({pose.rotation, pose.rotate(local_origin) + (pose.translation - origin)});
  }
};

/// A body with what has been prepared of its mesh.
struct PlacedBody {
  const DrawnBody* body;
  const PreparedMesh* mesh;
  Mat4 to_scene;
};

/// 1, 2 or 5 times a power of ten, so that some ten cells cross the view.
double gridCell(double view_distance) {
  const double wanted = view_distance / 12;
  const double power = std::pow(10, std::floor(std::log10(wanted)));
  const double share = wanted / power;
  return power * (share < 2 ? 1 : share < 5 ? 2 : 5);
}

/// `value` modulo five cells, computed before it is rounded to float. The bold lines are five cells apart.
double withinCells(double value, double cell) {
  return std::fmod(value, 5 * cell);
}

/// From sRGB, nearly: the shader takes the square root again.
Colour linear(const Colour& colour) {
  const auto square = [](float c) { return std::clamp(c, 0.0F, 1.0F) * std::clamp(c, 0.0F, 1.0F); };
  return {square(colour.r), square(colour.g), square(colour.b), std::clamp(colour.a, 0.0F, 1.0F)};
}

GpuMesh unitSquare() {
  const auto corner = [](float x, float y) { return ShadingVertex{{x, y, 0}, {0, 0, 1}}; };
  const ShadingVertex vertices[] = {corner(-1, -1), corner(1, -1), corner(1, 1),
                                    corner(-1, -1), corner(1, 1),  corner(-1, 1)};
  return GpuMesh(vertices);
}

/// The sphere around everything that casts a shadow, but not much more than what the camera looks at: a body
/// far off would coarsen the shadows of all others.
ShadowRegion shadowRegion(const std::vector<PlacedBody>& bodies, const View& view) {
  Bounds bounds;
  for (const PlacedBody& placed : bodies) {
    if (placed.body->surroundings) continue;
    const Vec3 centre = placed.body->pose.apply(placed.mesh->centre) - view.origin;
    const double r = placed.mesh->radius;
    bounds.add(centre - Vec3{r, r, r});
    bounds.add(centre + Vec3{r, r, r});
  }
  const double most = 1.5 * view.distance;
  if (bounds.radius() > most) return {{}, most};
  return {bounds.centre(), std::max(bounds.radius(), 1e-6 * view.distance)};
}

int supportedSamples(int wanted) {
  GLint most = 0;
  glGetIntegerv(GL_MAX_SAMPLES, &most);
  const int samples = std::min(std::clamp(wanted, 1, 16), static_cast<int>(most));
  return samples > 1 ? samples : 0;
}

}  // namespace

class Renderer::Impl {
 public:
  void draw(const Snapshot& snapshot, const Camera& camera, const RenderOptions& options,
            const Viewport& viewport) {
    checkPictureSize(viewport.width, viewport.height);
    validate(camera);
    meshes_.dropUnused();
    const View view(camera, static_cast<double>(viewport.width) / viewport.height);
    const std::vector<PlacedBody> bodies = place(snapshot, view);
    const ShadowRegion region = shadowRegion(bodies, view);
    const Mat4 to_light = ShadowMap::toLight(region, kToSun);

    glDisable(GL_CULL_FACE);
    glDisable(GL_SCISSOR_TEST);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LEQUAL);
    if (options.shadows) drawShadows(bodies, to_light, options);
    beginPicture(viewport, options);
    beginSurfaces(view, options, region, to_light);
    for (const PlacedBody& placed : bodies) drawBody(placed, view, options);
    glDisable(GL_CULL_FACE);
    if (snapshot.ground) drawGround(*snapshot.ground, view, options);
    drawOverlay(snapshot, view);
    if (options.contacts) drawContacts(snapshot.contacts, view, options);
    glDisable(GL_BLEND);
    glBindVertexArray(0);
    glUseProgram(0);
  }

  Image render(const Snapshot& snapshot, const Camera& camera, const RenderOptions& options, int width,
               int height) {
    checkPictureSize(width, height);
    while (glGetError() != GL_NO_ERROR) {  // errors from before are not this picture's
    }
    const FramebufferRestorer restorer;
    const RenderTarget target(width, height, supportedSamples(options.samples));
    const RenderTarget resolved(width, height, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer());
    draw(snapshot, camera, options, {0, 0, width, height});
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target.framebuffer());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved.framebuffer());
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, resolved.framebuffer());
    return readPixels(width, height);
  }

  [[nodiscard]] std::size_t meshCount() const { return meshes_.size(); }

 private:
  std::vector<PlacedBody> place(const Snapshot& snapshot, const View& view) {
    std::vector<PlacedBody> out;
    out.reserve(snapshot.bodies.size());
    for (const DrawnBody& body : snapshot.bodies) {
      if (!isDrawable(body)) continue;
      const PreparedMesh& mesh = meshes_.get(body.mesh);
      out.push_back({&body, &mesh, view.placed(body.pose, mesh.centre)});
    }
    return out;
  }

  static void hideBacks(bool hidden) {
    if (hidden) {
      glEnable(GL_CULL_FACE);
    } else {
      glDisable(GL_CULL_FACE);
    }
  }

  void drawShadows(const std::vector<PlacedBody>& bodies, const Mat4& to_light,
                   const RenderOptions& options) {
    const FramebufferRestorer restorer;
    shadow_map_.begin(options.shadow_side);
    shadow_program_.use();
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5F, 2.0F);
    // What lies outside the region's depth still casts its shadow into it.
    glEnable(GL_DEPTH_CLAMP);
    for (const PlacedBody& placed : bodies) {
      if (placed.body->surroundings) continue;
      shadow_program_.set("to_light", to_light * placed.to_scene);
      hideBacks(placed.mesh->is_solid);
      placed.mesh->gpu.draw();
    }
    glDisable(GL_CULL_FACE);
    glDisable(GL_DEPTH_CLAMP);
    glDisable(GL_POLYGON_OFFSET_FILL);
  }

  void beginPicture(const Viewport& viewport, const RenderOptions& options) {
    glViewport(viewport.x, viewport.y, viewport.width, viewport.height);
    glEnable(GL_SCISSOR_TEST);
    glScissor(viewport.x, viewport.y, viewport.width, viewport.height);
    glClear(GL_DEPTH_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    glDepthMask(GL_FALSE);
    background_program_.use();
    background_program_.set("bottom", options.background_bottom);
    background_program_.set("top", options.background_top);
    glBindVertexArray(empty_array_.get());
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDepthMask(GL_TRUE);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  }

  void beginSurfaces(const View& view, const RenderOptions& options, const ShadowRegion& region,
                     const Mat4& to_light) {
    glActiveTexture(GL_TEXTURE0);
    shadow_map_.bindTexture();
    surface_program_.use();
    surface_program_.set("to_clip", view.to_clip);
    surface_program_.set("eye", view.eye);
    surface_program_.set("to_sun", kToSun);
    surface_program_.set("to_fill", kToFill);
    surface_program_.set("shadow_map", 0);
    surface_program_.set("to_shadow", ShadowMap::toTexture(to_light));
    surface_program_.set("shadow_texel", ShadowMap::texel(region, options.shadow_side));
    surface_program_.set("has_shadows", options.shadows);
    surface_program_.set("flat_shading", options.flat_shading);
    const double cell = gridCell(view.distance);
    surface_program_.set("grid_origin", withinCells(view.origin.x, cell), withinCells(view.origin.y, cell));
  }

  void drawBody(const PlacedBody& placed, const View& view, const RenderOptions& options) {
    surface_program_.set("to_scene", placed.to_scene);
    surface_program_.set("colour", linear(placed.body->colour));
    surface_program_.set("wireframe", options.wireframe);
    surface_program_.set("grid_cell",
                         options.grid && placed.body->surroundings ? gridCell(view.distance) : 0.0);
    surface_program_.set("fade", 0, 0);
    hideBacks(placed.mesh->is_solid);
    if (options.wireframe) {
      placed.mesh->gpu.drawCorners();
    } else {
      placed.mesh->gpu.draw();
    }
  }

  void drawGround(const DrawnGround& ground, const View& view, const RenderOptions& options) {
    if (!std::isfinite(ground.height)) return;
    Mat4 to_scene;
    to_scene.row[0][0] = to_scene.row[1][1] = kFadeEnd * view.distance;
    to_scene.row[2][3] = ground.height - view.origin.z;
    surface_program_.set("to_scene", to_scene);
    surface_program_.set("colour", linear(ground.colour));
    surface_program_.set("wireframe", false);
    surface_program_.set("grid_cell", options.grid ? gridCell(view.distance) : 0.0);
    surface_program_.set("fade", kFadeStart * view.distance, kFadeEnd * view.distance);
    ground_.draw();
  }

  void drawOverlay(const Snapshot& snapshot, const View& view) {
    overlay_.upload(snapshot, view.origin);
    if (overlay_.empty()) return;
    overlay_program_.use();
    overlay_program_.set("to_clip", view.to_clip);
    drawHiddenAndSeen(overlay_program_, 0.25, [&] { overlay_.draw(); });
  }

  void drawContacts(const std::vector<DrawnContact>& contacts, const View& view,
                    const RenderOptions& options) {
    arrows_.upload(contacts, view.origin, options.reference_depth);
    contact_program_.use();
    contact_program_.set("to_clip", view.to_clip);
    contact_program_.set("to_sun", kToSun);
    contact_program_.set("size", options.contact_size > 0 ? options.contact_size : 0.05 * view.distance);
    drawHiddenAndSeen(contact_program_, 0.35, [&] { arrows_.draw(); });
  }

  /// Opaque where it is in sight, faint where a body hides it.
  template <class Draw>
  static void drawHiddenAndSeen(const ShaderProgram& program, double hidden_opacity, Draw&& draw) {
    glDepthMask(GL_FALSE);
    glDepthFunc(GL_GREATER);
    program.set("opacity", hidden_opacity);
    draw();
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LEQUAL);
    program.set("opacity", 1.0);
    draw();
  }

  static Image readPixels(int width, int height) {
    const std::size_t row_bytes = 4 * static_cast<std::size_t>(width);
    Image image{width, height, std::vector<std::uint8_t>(row_bytes * height)};
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
    if (glGetError() != GL_NO_ERROR)
      throw RenderError("the OpenGL driver could not draw a picture of " + std::to_string(width) + " x " +
                        std::to_string(height) + " pixels; choose a smaller one");
    // OpenGL's rows run from the bottom.
    for (int top = 0, bottom = height - 1; top < bottom; ++top, --bottom)
      std::swap_ranges(image.rgba.begin() + top * row_bytes, image.rgba.begin() + (top + 1) * row_bytes,
                       image.rgba.begin() + bottom * row_bytes);
    return image;
  }

  ShaderProgram shadow_program_{kShadowVertex, kShadowFragment};
  ShaderProgram surface_program_{kSurfaceVertex, kSurfaceFragment};
  ShaderProgram contact_program_{kContactVertex, kContactFragment};
  ShaderProgram overlay_program_{kOverlayVertex, kOverlayFragment};
  ShaderProgram background_program_{kBackgroundVertex, kBackgroundFragment};
  ShadowMap shadow_map_;
  VertexArray empty_array_ = generate<VertexArray>(glGenVertexArrays);
  GpuMesh ground_ = unitSquare();
  ContactArrows arrows_;
  OverlayShapes overlay_;
  MeshCache meshes_;
};

void checkPictureSize(int width, int height) {
  if (width >= 1 && height >= 1 && width <= kMaxImageSide && height <= kMaxImageSide &&
      static_cast<long>(width) * height <= kMaxImagePixels)
    return;
  throw InputError("picture of " + std::to_string(width) + " x " + std::to_string(height) +
                   " pixels: each side has to be 1 to " + std::to_string(kMaxImageSide) +
                   ", and the whole at most " + std::to_string(kMaxImagePixels) + " pixels");
}

Renderer::Renderer() {
  const GLubyte* version = epoxy_gl_version() > 0 ? glGetString(GL_VERSION) : nullptr;
  if (version == nullptr)
    throw RenderError(
        "no OpenGL context is current; make an OffscreenContext or a window's context current first");
  if (!epoxy_is_desktop_gl() || epoxy_gl_version() < 33)
    throw RenderError("OpenGL 3.3 is needed, and the driver has " +
                      std::string(reinterpret_cast<const char*>(version)));
  impl_ = std::make_unique<Impl>();
}

Renderer::~Renderer() = default;

void Renderer::draw(const Snapshot& snapshot, const Camera& camera, const RenderOptions& options,
                    const Viewport& viewport) {
  impl_->draw(snapshot, camera, options, viewport);
}

Image Renderer::render(const Snapshot& snapshot, const Camera& camera, const RenderOptions& options,
                       int width, int height) {
  return impl_->render(snapshot, camera, options, width, height);
}

std::size_t Renderer::meshCount() const {
  return impl_->meshCount();
}

}  // namespace odemesh::sim
