// Draws snapshots with OpenGL 3.3, in whatever context is current: an OffscreenContext or a window's.
#pragma once

#include <memory>
#include <odemesh/sim/render/camera.hpp>
#include <odemesh/sim/render/image.hpp>
#include <odemesh/sim/render/snapshot.hpp>

namespace odemesh::sim {

/// kLow is for drivers that draw on the processor: light at the vertices alone, without gloss, shadows with
/// harder edges, and a background of one colour. With wireframe or flat shading surfaces are those of kHigh.
enum class Quality { kHigh, kLow };

struct RenderOptions {
  Quality quality = Quality::kHigh;
  bool shadows = true;
  int shadow_side = 2048;      ///< texels along each side of the shadow map; fewer are faster and coarser
  bool contacts = false;       ///< a dot and an arrow along the normal, seen through the bodies
  bool wireframe = false;      ///< the triangles' edges over the surfaces
  bool flat_shading = false;   ///< one shade a triangle; otherwise only edges sharper than 35 degrees show
  bool grid = true;            ///< on the ground
  int samples = 4;             ///< anti-aliasing of Renderer::render, 1 to 16; fewer where the driver can't
  double contact_size = 0;     ///< length of a contact's arrow; 0: a fixed share of the view
  double reference_depth = 0;  ///< depth of the reddest contact; 0: that of the deepest in the snapshot
  Colour background_top{0.80F, 0.86F, 0.93F, 1};
  Colour background_bottom{0.96F, 0.97F, 0.98F, 1};
};

/// What drawing has taken of the driver.
struct DrawCounts {
  std::size_t calls = 0;      ///< that draw
  std::size_t triangles = 0;  ///< of bodies and ground; shadows count again
  std::size_t bytes = 0;      ///< uploaded, but for uniforms and meshes that are new
};

/// A rectangle of the framebuffer that is drawn into, in pixels from its lower left corner.
struct Viewport {
  int x = 0, y = 0;
  int width = 0, height = 0;
};

inline constexpr int kMaxImageSide = 8192;
inline constexpr long kMaxImagePixels = 7680L * 4320;

/// Throws InputError unless both sides are 1 to kMaxImageSide and the product is at most kMaxImagePixels.
void checkPictureSize(int width, int height);

/// Holds shaders, meshes and shadow map. The context that was current when it was made has to be current in
/// every call and in the destructor; several renderers in several contexts are independent of each other.
class Renderer {
 public:
  /// Throws RenderError if there is no current context or it has no OpenGL 3.3.
  Renderer();
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  /// Draws into `viewport` of the framebuffer that is bound, which it clears there. Throws InputError for a
  /// camera or a viewport that can't be (empty, or above the limits over this class).
  void draw(const Snapshot& snapshot, const Camera& camera, const RenderOptions& options,
            const Viewport& viewport);

  /// Draws a picture of `width` x `height` pixels off screen. Throws like `draw`, and RenderError if the
  /// driver can't provide the memory.
  [[nodiscard]] Image render(const Snapshot& snapshot, const Camera& camera, const RenderOptions& options,
                             int width, int height);

  /// Since the renderer was made.
  [[nodiscard]] const DrawCounts& counts() const;

  /// Meshes that are prepared for drawing at the moment.
  [[nodiscard]] std::size_t meshCount() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace odemesh::sim
