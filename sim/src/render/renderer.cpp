#include <algorithm>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/render/render_error.hpp>
#include <odemesh/sim/render/renderer.hpp>
#include <string>

#include "render/batches.hpp"
#include "render/bounds.hpp"
#include "render/contact_arrows.hpp"
#include "render/overlay_shapes.hpp"
#include "render/shaders.hpp"
#include "render/shadow_map.hpp"
#include "render/surface_programs.hpp"

namespace odemesh::sim {

using namespace render;

namespace {

const Vec3 kToSun = normalised(Vec3{-0.45, -0.55, 1.0});

const Vec3 kToFill = normalised(Vec3{-kToSun.x, -kToSun.y, 0.4});

/// The ground fades between these multiples of the distance from the eye to its target.
constexpr double kFadeStart = 2.5;
constexpr double kFadeEnd = 9;

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

GpuMesh unitSquare() {
  const auto corner = [](float x, float y) { return ShadingVertex{{x, y, 0}, {0, 0, 1}}; };
  const ShadingVertex vertices[] = {corner(-1, -1), corner(1, -1), corner(1, 1),
                                    corner(-1, -1), corner(1, 1),  corner(-1, 1)};
  return GpuMesh(vertices);
}

/// The sphere around everything that casts a shadow, but not much more than what the camera looks at: a body
/// far off would coarsen the shadows of all others.
ShadowRegion shadowRegion(const Batches& bodies, const View& view) {
  Bounds bounds;
  for (const Batch& batch : bodies.batches) {
    if (batch.surroundings) continue;
    const double r = batch.mesh->radius;
    for (std::size_t i = batch.first; i < batch.first + batch.count; ++i) {
      const auto& row = bodies.instances[i].to_scene;
      const Vec3 centre{row[0][3], row[1][3], row[2][3]};
      bounds.add(centre - Vec3{r, r, r});
      bounds.add(centre + Vec3{r, r, r});
    }
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
    Batches bodies = batchesOf(snapshot, view, meshes_);
    const std::size_t ground = bodies.instances.size();
    if (snapshot.ground) bodies.instances.push_back(groundInstance(*snapshot.ground, view));
    instances_.upload(bodies.instances);
    counts_.bytes += bodies.instances.size() * sizeof(Instance);
    const ShadowRegion region =
        ShadowMap::steady(shadowRegion(bodies, view), view.origin, kToSun, options.shadow_side);
    const Light light{ShadowMap::toLight(region, kToSun), ShadowMap::texel(region, options.shadow_side)};

    glDisable(GL_CULL_FACE);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LEQUAL);
    if (options.shadows) drawShadows(bodies, light.to_light, options);
    beginPicture(viewport, options);
    for (const Batch& batch : bodies.batches)
      if (batch.opaque) drawBatch(batch, view, options, light);
    if (options.quality == Quality::kHigh) drawBackground(options);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    for (const Batch& batch : bodies.batches)
      if (!batch.opaque) drawBatch(batch, view, options, light);
    if (snapshot.ground && std::isfinite(snapshot.ground->height)) drawGround(ground, view, options, light);
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
  [[nodiscard]] const DrawCounts& counts() const { return counts_; }

 private:
  /// From where shadows fall.
  struct Light {
    Mat4 to_light;
    double texel;  ///< of the shadow map, in the scene
  };

  static Instance groundInstance(const DrawnGround& ground, const View& view) {
    Mat4 to_scene;
    to_scene.row[0][0] = to_scene.row[1][1] = kFadeEnd * view.distance;
    to_scene.row[2][3] = ground.height - view.origin.z;
    return {to_scene, ground.colour};
  }

  static void hideBacks(bool hidden) {
    if (hidden) {
      glEnable(GL_CULL_FACE);
    } else {
      glDisable(GL_CULL_FACE);
    }
  }

  void drawShadows(const Batches& bodies, const Mat4& to_light, const RenderOptions& options) {
    const FramebufferRestorer restorer;
    shadow_map_.begin(options.shadow_side);
    shadow_program_.use();
    shadow_program_.set("to_light", to_light);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5F, 2.0F);
    // What lies outside the region's depth still casts its shadow into it.
    glEnable(GL_DEPTH_CLAMP);
    for (const Batch& batch : bodies.batches) {
      if (batch.surroundings) continue;
      castShadow(batch, options);
    }
    glDisable(GL_CULL_FACE);
    glDisable(GL_DEPTH_CLAMP);
    glDisable(GL_POLYGON_OFFSET_FILL);
  }

  // In low quality, solids cast theirs from the side that is away from the sun: then it does not matter for
  // their own light how coarse they are.
  void castShadow(const Batch& batch, const RenderOptions& options) {
    const GpuMesh& mesh = batch.mesh->gpu;
    const bool is_coarse = options.quality == Quality::kLow && batch.mesh->is_solid &&
                           mesh.coarseCornerCount() < mesh.cornerCount();
    hideBacks(batch.mesh->is_solid);
    if (is_coarse) {
      glCullFace(GL_FRONT);
      mesh.drawCoarse(instances_, batch.first, batch.count);
      glCullFace(GL_BACK);
    } else {
      mesh.draw(instances_, batch.first, batch.count);
    }
    count(is_coarse ? mesh.coarseCornerCount() : mesh.cornerCount(), batch.count);
  }

  // A background of one colour costs the processor next to nothing.
  static void beginPicture(const Viewport& viewport, const RenderOptions& options) {
    const Colour& low = options.background_bottom;
    const Colour& high = options.background_top;
    glClearColor(0.5F * (low.r + high.r), 0.5F * (low.g + high.g), 0.5F * (low.b + high.b), 1);
    glViewport(viewport.x, viewport.y, viewport.width, viewport.height);
    glEnable(GL_SCISSOR_TEST);
    glScissor(viewport.x, viewport.y, viewport.width, viewport.height);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
  }

  // After what hides it.
  void drawBackground(const RenderOptions& options) {
    glDisable(GL_CULL_FACE);
    glDepthMask(GL_FALSE);
    background_program_.use();
    background_program_.set("bottom", options.background_bottom);
    background_program_.set("top", options.background_top);
    glBindVertexArray(empty_array_.get());
    glDrawArrays(GL_TRIANGLES, 0, 3);
    ++counts_.calls;
    glDepthMask(GL_TRUE);
  }

  /// Uses the variant that the features ask for.
  const ShaderProgram& beginSurface(const SurfaceFeatures& features, const View& view, const Light& light) {
    const ShaderProgram& program = surface_programs_.get(features);
    program.use();
    glActiveTexture(GL_TEXTURE0);
    shadow_map_.bindTexture();
    program.set("to_clip", view.to_clip);
    program.set("eye", view.eye);
    program.set("viewer", view.eye);
    program.set("to_sun", kToSun);
    program.set("to_fill", kToFill);
    program.set("shadow_map", 0);
    program.set("to_shadow", ShadowMap::toTexture(light.to_light));
    program.set("shadow_texel", light.texel);
    const double cell = gridCell(view.distance);
    program.set("grid_cell", cell);
    program.set("grid_origin", withinCells(view.origin.x, cell), withinCells(view.origin.y, cell));
    program.set("fade", kFadeStart * view.distance, kFadeEnd * view.distance);
    program.set("two_sided", false);
    return program;
  }

  static SurfaceFeatures featuresOf(const RenderOptions& options) {
    SurfaceFeatures out;
    out.shadows = options.shadows;
    out.flat = options.flat_shading;
    out.wireframe = options.wireframe;
    out.plain = options.quality == Quality::kLow && !out.flat && !out.wireframe;
    return out;
  }

  void drawBatch(const Batch& batch, const View& view, const RenderOptions& options, const Light& light) {
    if (batch.visible == 0) return;
    SurfaceFeatures features = featuresOf(options);
    features.grid = options.grid && batch.surroundings;
    const ShaderProgram& program = beginSurface(features, view, light);
    program.set("two_sided", !batch.mesh->is_solid);
    hideBacks(batch.mesh->is_solid);
    if (options.wireframe) {
      batch.mesh->gpu.drawCorners(instances_, batch.first, batch.visible);
    } else {
      batch.mesh->gpu.draw(instances_, batch.first, batch.visible);
    }
    count(batch.mesh->gpu.cornerCount(), batch.visible);
  }

  void drawGround(std::size_t instance, const View& view, const RenderOptions& options, const Light& light) {
    SurfaceFeatures features = featuresOf(options);
    features.wireframe = false;
    features.grid = options.grid;
    features.fade = true;
    beginSurface(features, view, light);
    glDisable(GL_CULL_FACE);
    ground_.draw(instances_, instance, 1);
    count(ground_.cornerCount(), 1);
  }

  void count(GLsizei corners, std::size_t instances) {
    ++counts_.calls;
    counts_.triangles += instances * static_cast<std::size_t>(corners) / 3;
  }

  void drawOverlay(const Snapshot& snapshot, const View& view) {
    counts_.bytes += overlay_.upload(snapshot, view.origin);
    if (overlay_.empty()) return;
    counts_.calls += 4;
    overlay_program_.use();
    overlay_program_.set("to_clip", view.to_clip);
    drawHiddenAndSeen(overlay_program_, 0.25, [&] { overlay_.draw(); });
  }

  void drawContacts(const std::vector<DrawnContact>& contacts, const View& view,
                    const RenderOptions& options) {
    counts_.bytes += arrows_.upload(contacts, view.origin, options.reference_depth);
    counts_.calls += 2;
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

  ShaderProgram shadow_program_{{kVersion, kInstance, kShadowVertex}, {kVersion, kShadowFragment}};
  ShaderProgram contact_program_{{kVersion, kContactVertex}, {kVersion, kContactFragment}};
  ShaderProgram overlay_program_{{kVersion, kOverlayVertex}, {kVersion, kOverlayFragment}};
  ShaderProgram background_program_{{kVersion, kBackgroundVertex}, {kVersion, kBackgroundFragment}};
  SurfacePrograms surface_programs_;
  InstanceBuffer instances_;
  ShadowMap shadow_map_;
  VertexArray empty_array_ = generate<VertexArray>(glGenVertexArrays);
  GpuMesh ground_ = unitSquare();
  ContactArrows arrows_;
  OverlayShapes overlay_;
  MeshCache meshes_;
  DrawCounts counts_;
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

const DrawCounts& Renderer::counts() const {
  return impl_->counts();
}

std::size_t Renderer::meshCount() const {
  return impl_->meshCount();
}

}  // namespace odemesh::sim
