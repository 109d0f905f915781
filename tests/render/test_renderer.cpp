// Pictures, drawn for real in an off-screen context and judged by what is in them.
#include <epoxy/gl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/render/offscreen_context.hpp>
#include <odemesh/sim/render/render_error.hpp>
#include <odemesh/sim/render/renderer.hpp>
#include <string>
#include <thread>

#include "render/scenes.hpp"
#include "render/surface_programs.hpp"

namespace odemesh::sim {
namespace {

constexpr int kWidth = 240;
constexpr int kHeight = 160;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
const Camera kCamera{{1, -6, 3}, {0, 0, 0.5}, 40};

class RendererTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!OffscreenContext::hasEgl()) GTEST_SKIP() << "this machine has no EGL (libEGL.so.1)";
    context_ = std::make_unique<OffscreenContext>();
    renderer_ = std::make_unique<Renderer>();
  }

  [[nodiscard]] Image picture(const Snapshot& snapshot, const RenderOptions& options = {}) {
    return renderer_->render(snapshot, kCamera, options, kWidth, kHeight);
  }

  std::unique_ptr<OffscreenContext> context_;
  std::unique_ptr<Renderer> renderer_;
};

/// The pixel at which the camera of these tests sees `point`.
Colour pixelAt(const Image& image, const Vec3& point) {
  const auto p = project(kCamera, point, image.width, image.height);
  return image.at(static_cast<int>(p->x), static_cast<int>(p->y));
}

std::size_t differingPixels(const Image& a, const Image& b, int tolerance = 0) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.rgba.size(); i += 4) {
    int worst = 0;
    for (std::size_t k = i; k < i + 4; ++k) worst = std::max(worst, std::abs(a.rgba[k] - b.rgba.at(k)));
    count += worst > tolerance ? 1 : 0;
  }
  return count;
}

Snapshot boxOnGround() {
  Snapshot snapshot;
  snapshot.bodies = {boxAt({0, 0, 0.5}, {0.9F, 0.2F, 0.1F, 1})};
  snapshot.ground = DrawnGround{};
  return snapshot;
}

TEST_F(RendererTest, AnEmptySceneIsItsBackground) {
  const RenderOptions options;
  const Image image = picture({}, options);
  ASSERT_EQ(image.width, kWidth);
  ASSERT_EQ(image.height, kHeight);
  for (int y = 0; y < kHeight; ++y) {
    const auto height = static_cast<float>(1 - (y + 0.5) / kHeight);
    for (int x = 0; x < kWidth; ++x) {
      const Colour c = image.at(x, y);
      ASSERT_NEAR(c.r, std::lerp(options.background_bottom.r, options.background_top.r, height), 0.006);
      ASSERT_NEAR(c.b, std::lerp(options.background_bottom.b, options.background_top.b, height), 0.006);
      ASSERT_EQ(c.a, 1);
    }
  }
}

TEST_F(RendererTest, BodiesAppearWhereTheyProject) {
  Snapshot snapshot;
  snapshot.bodies = {boxAt({-1.2, 0, 0.5}, {1, 0, 0, 1}), boxAt({0.2, 1, 1.5}, {0, 1, 0, 1}),
                     boxAt({1.2, -1, 0}, {0, 0, 1, 1})};
  const Image image = picture(snapshot);
  const Colour red = pixelAt(image, {-1.2, -0.5, 0.5});
  const Colour green = pixelAt(image, {0.2, 0.5, 1.5});
  const Colour blue = pixelAt(image, {1.2, -1.5, 0});
  EXPECT_TRUE(red.r > 0.4F && red.g < 0.2F && red.b < 0.2F);
  EXPECT_TRUE(green.g > 0.4F && green.r < 0.2F && green.b < 0.2F);
  EXPECT_TRUE(blue.b > 0.4F && blue.r < 0.2F && blue.g < 0.2F);
}

TEST_F(RendererTest, PosesMoveBodies) {
  Snapshot snapshot;
  snapshot.bodies = {{shared(makeBox({3, 0.2, 0.2})), {}, {1, 0, 0, 1}, false}};
  const auto red_at = [&](const Vec3& p) {
    const Colour c = pixelAt(picture(snapshot), p);
    return c.r > 0.3F && c.b < 0.2F;
  };
  EXPECT_TRUE(red_at({1.3, 0, 0}));
  EXPECT_FALSE(red_at({0, 0, 1.8}));
  // A quarter turn about y takes the bar's x axis to -z; then it is lifted by 0.5.
  snapshot.bodies[0].pose = {{{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}}, {0, 0, 0.5}};
  EXPECT_FALSE(red_at({1.3, 0, 0}));
  EXPECT_TRUE(red_at({0, 0, 1.8}));
}

TEST_F(RendererTest, NearBodiesHideFarOnes) {
  Snapshot snapshot;
  snapshot.bodies = {boxAt({0, -1, 0.5}, {1, 0, 0, 1}), boxAt({-0.3, 1, 0.4}, {0, 0, 1, 1}, 0.5)};
  for (int order = 0; order < 2; ++order) {
    const Colour c = pixelAt(picture(snapshot), {0, -1.5, 0.5});
    EXPECT_GT(c.r, c.b);
    std::swap(snapshot.bodies[0], snapshot.bodies[1]);
  }
}

// Light at the vertices and coarser shadows show the same scene: few pixels are far off.
TEST_F(RendererTest, LowQualityShowsTheSame) {
  Snapshot snapshot = boxOnGround();
  snapshot.bodies.push_back({shared(makeSphere(0.6, 24, 22)), {{}, {1.2, 0, 0.8}}, {0.2F, 0.4F, 0.9F, 1}});
  RenderOptions options;
  const Image high = picture(snapshot, options);
  options.quality = Quality::kLow;
  const Image low = picture(snapshot, options);
  EXPECT_LT(differingPixels(high, low, 24), high.rgba.size() / 4 / 20);
  options.shadows = false;
  EXPECT_GT(differingPixels(low, picture(snapshot, options), 24), 200U);  // it has shadows
}

TEST_F(RendererTest, LowQualityKeepsWireframeAndFlatShading) {
  Snapshot snapshot;
  snapshot.bodies = {{shared(makeSphere(1, 24, 22)), {{}, {0, 0, 1}}, {0.2F, 0.4F, 0.9F, 1}}};
  for (bool RenderOptions::*option : {&RenderOptions::wireframe, &RenderOptions::flat_shading}) {
    RenderOptions options;
    options.shadows = false;
    options.background_top = options.background_bottom;
    options.*option = true;
    const Image high = picture(snapshot, options);
    options.quality = Quality::kLow;
    EXPECT_EQ(differingPixels(high, picture(snapshot, options)), 0U);
  }
}

TEST_F(RendererTest, EveryVariantOfTheShadersIsAccepted) {
  render::SurfacePrograms programs;
  for (unsigned i = 0; i < 64; ++i) {
    const auto has = [&](unsigned bit) { return (i >> bit & 1U) != 0; };
    EXPECT_NO_THROW(static_cast<void>(programs.get({has(0), has(1), has(2), has(3), has(4), has(5)}))) << i;
  }
}

TEST_F(RendererTest, BodiesOfOneMeshAreOneCall) {
  const auto box = shared(makeBox({0.1, 0.1, 0.1}));
  Snapshot snapshot;
  for (int i = 0; i < 100; ++i)
    snapshot.bodies.push_back({box, {{}, {0.12 * (i % 10), 0.12 * (i / 10), 0}}, bodyColour(i), false});
  static_cast<void>(picture(snapshot));
  EXPECT_EQ(renderer_->counts().calls, 3U);  // shadows, bodies, background
  EXPECT_EQ(renderer_->counts().triangles, 2U * 12 * 100);
  EXPECT_LE(renderer_->counts().bytes, 100U * 64);
}

// Another body that moves far away makes the shadow map cover more or less, and its texels lie elsewhere.
TEST_F(RendererTest, ShadowsStayWhileOtherBodiesMove) {
  Snapshot snapshot = boxOnGround();
  snapshot.bodies.push_back(boxAt({5, -2, 0.5}, {0, 0, 1, 1}));
  RenderOptions options;
  options.quality = Quality::kLow;
  options.shadow_side = 256;
  const Image before = picture(snapshot, options);
  snapshot.bodies[1].pose.translation.x += 0.03;  // beside the picture
  EXPECT_EQ(differingPixels(before, picture(snapshot, options), 2), 0U);
}

// What the camera can't see is not drawn, but its shadow is.
TEST_F(RendererTest, BodiesAboveThePictureCastShadows) {
  Snapshot snapshot;
  snapshot.ground = DrawnGround{};
  const Image without = picture(snapshot);
  snapshot.bodies = {boxAt({-1.8, -2, 4.5}, {1, 0, 0, 1})};
  const Image with = picture(snapshot);
  EXPECT_GT(differingPixels(without, with, 24), 100U);
  for (int y = 0; y < with.height; ++y)
    for (int x = 0; x < with.width; ++x) EXPECT_LT(with.at(x, y).r, with.at(x, y).b + 0.2F);  // nothing red
  EXPECT_EQ(renderer_->counts().calls, 2U + 2 + 1);  // background and ground twice, one shadow
}

TEST_F(RendererTest, ContactsAppearWhenSwitchedOn) {
  Snapshot snapshot = boxOnGround();
  const Image without = picture(snapshot);
  RenderOptions options;
  options.contacts = true;
  EXPECT_EQ(differingPixels(without, picture(snapshot, options)), 0U);  // there are none yet
  snapshot.contacts = {{{1.5, 0, 0.5}, {0, 0, 1}, 0.01}};
  EXPECT_EQ(differingPixels(without, picture(snapshot)), 0U);  // switched off
  const Image with = picture(snapshot, options);
  const Colour ball = pixelAt(with, {1.5, 0, 0.5});
  EXPECT_TRUE(ball.r > 0.4F && ball.g < 0.15F) << ball.r << ' ' << ball.g;
  EXPECT_GT(differingPixels(without, with), 20U);
  EXPECT_EQ(pixelAt(with, {-1.5, 0, 0.5}), pixelAt(without, {-1.5, 0, 0.5}));
}

TEST_F(RendererTest, ContactsShowThroughBodies) {
  Snapshot snapshot = boxOnGround();
  snapshot.contacts = {{{0, 0, 0.5}, {0, 0, 1}, 0}};  // in the middle of the box
  RenderOptions options;
  options.contacts = true;
  options.reference_depth = 1;  // which makes it yellow
  EXPECT_GT(pixelAt(picture(snapshot, options), {0, 0, 0.5}).g,
            pixelAt(picture(snapshot), {0, 0, 0.5}).g + 0.1F);
}

TEST_F(RendererTest, ManyContactsWithNonsenseAmongThem) {
  Snapshot snapshot = boxOnGround();
  for (int i = 0; i < 1500; ++i)
    snapshot.contacts.push_back({{0.002 * i - 1.5, 0.6, 0.4}, {1, 0, 0}, 1e-3 * i});
  const std::size_t good = snapshot.contacts.size();
  RenderOptions options;
  options.contacts = true;
  options.reference_depth = 1;
  const Image expected = picture(snapshot, options);
  snapshot.contacts.push_back({{kNan, 0, 0}, {0, 0, 1}, 0.1});
  snapshot.contacts.push_back({{0, 0, 2}, {kNan, 0, 1}, 0.1});
  snapshot.contacts.push_back({{0, 0, 2}, {0, 0, 1}, kNan});
  EXPECT_EQ(differingPixels(expected, picture(snapshot, options)), 0U);
  snapshot.contacts.resize(good);
  snapshot.contacts.push_back({{0, 0, 1.4}, {0, 0, 0}, 0.1});  // a normal without direction is drawn upright
  EXPECT_GT(differingPixels(expected, picture(snapshot, options)), 0U);
}

TEST_F(RendererTest, ShadowsOnlyDarken) {
  const Snapshot snapshot = boxOnGround();
  RenderOptions options;
  const Image with = picture(snapshot, options);
  options.shadows = false;
  const Image without = picture(snapshot, options);
  std::size_t darker = 0;
  for (std::size_t i = 0; i < with.rgba.size(); ++i) {
    ASSERT_LE(with.rgba[i], without.rgba[i] + 1);
    darker += with.rgba[i] + 20 < without.rgba[i] ? 1 : 0;
  }
  EXPECT_GT(darker, 300U);
  // The sun is at the left, in front and high: the ground behind to the right of the box lies in its shadow.
  EXPECT_LT(pixelAt(with, {0.75, 0.3, 0}).g, pixelAt(without, {0.75, 0.3, 0}).g - 0.1F);
  EXPECT_NEAR(pixelAt(with, {-1.5, -1, 0}).g, pixelAt(without, {-1.5, -1, 0}).g, 0.01F);
}

TEST_F(RendererTest, SurroundingsReceiveShadowsAndCastNone) {
  Snapshot snapshot = boxOnGround();
  snapshot.ground.reset();
  snapshot.bodies.push_back({shared(makeBox({30, 30, 1})), {{}, {0, 0, -0.5}}, groundColour(), true});
  RenderOptions bare;
  bare.shadows = false;
  EXPECT_LT(pixelAt(picture(snapshot), {0.75, 0.3, 0}).g,
            pixelAt(picture(snapshot, bare), {0.75, 0.3, 0}).g - 0.1F);
  snapshot.bodies.erase(snapshot.bodies.begin());
  EXPECT_EQ(differingPixels(picture(snapshot), picture(snapshot, bare), 1), 0U);
}

TEST_F(RendererTest, EachOptionShows) {
  Snapshot snapshot = boxOnGround();
  snapshot.bodies[0].mesh = shared(makeIcosphere(0.5, 1));
  const Image plain = picture(snapshot);
  const auto changed = [&](bool RenderOptions::*field, bool value) {
    RenderOptions options;
    options.*field = value;
    return differingPixels(plain, picture(snapshot, options), 2);
  };
  EXPECT_GT(changed(&RenderOptions::grid, false), 500U);
  EXPECT_GT(changed(&RenderOptions::wireframe, true), 50U);
  EXPECT_GT(changed(&RenderOptions::flat_shading, true), 50U);
}

TEST_F(RendererTest, EdgesAreSmoothed) {
  RenderOptions coarse;
  coarse.samples = 1;
  const Snapshot snapshot = boxOnGround();
  EXPECT_GT(differingPixels(picture(snapshot), picture(snapshot, coarse), 4), 20U);
}

TEST_F(RendererTest, FarFromTheOriginThePictureIsTheSame) {
  Snapshot snapshot = boxOnGround();
  const Image near = picture(snapshot);
  const Vec3 far{1e6, -2e6, 5e5};
  snapshot.bodies[0].pose.translation += far;
  snapshot.ground->height += far.z;
  const Camera camera{kCamera.eye + far, kCamera.target + far, kCamera.field_of_view};
  EXPECT_LT(differingPixels(near, renderer_->render(snapshot, camera, {}, kWidth, kHeight), 8), 40U);
}

TEST_F(RendererTest, ScaleDoesNotMatter) {
  const Image metre = picture(boxOnGround());
  for (const double scale : {1e-3, 1e3}) {
    Snapshot snapshot;
    snapshot.ground = DrawnGround{};
    snapshot.bodies = {boxAt({0, 0, 0.5 * scale}, {0.9F, 0.2F, 0.1F, 1}, scale)};
    const Camera camera{kCamera.eye * scale, kCamera.target * scale, kCamera.field_of_view};
    EXPECT_LT(differingPixels(metre, renderer_->render(snapshot, camera, {}, kWidth, kHeight), 8), 60U)
        << scale;
  }
}

TEST_F(RendererTest, NonsenseInASnapshotIsLeftOut) {
  Snapshot snapshot = boxOnGround();
  const Image expected = picture(snapshot);
  snapshot.bodies.push_back({nullptr, {}, {}, false});
  snapshot.bodies.push_back({shared({}), {}, {}, false});
  snapshot.bodies.push_back(boxAt({kNan, 0, 0}, {}));
  snapshot.bodies.push_back(boxAt({0, 0, 1}, {}));
  snapshot.bodies.back().pose.rotation.row[1].y = kNan;
  snapshot.bodies.push_back(
      {shared({"bad", {{0, 0, 3}, {1, 0, kNan}}, {{0, 1, 0}, {7, 8, 9}}}), {}, {}, false});
  EXPECT_EQ(differingPixels(expected, picture(snapshot)), 0U);
  snapshot.ground->height = kNan;
  EXPECT_GT(differingPixels(expected, picture(snapshot)), 1000U);
}

TEST_F(RendererTest, ABodyFarAwayLeavesTheShadowsOfTheOthers) {
  Snapshot snapshot = boxOnGround();
  const Image alone = picture(snapshot);
  snapshot.bodies.push_back(boxAt({0, 0, -1e7}, {1, 1, 1, 1}));
  EXPECT_LT(differingPixels(alone, picture(snapshot), 40), 100U);
}

TEST_F(RendererTest, BadSizesAreRefused) {
  for (const auto& [width, height] :
       {std::pair{0, 10}, {10, 0}, {-1, 10}, {10, -5}, {9000, 10}, {10, 9000}, {8000, 8000}})
    EXPECT_THROW((void)renderer_->render({}, kCamera, {}, width, height), InputError)
        << width << ' ' << height;
  EXPECT_EQ(renderer_->render({}, kCamera, {}, 1, 1).rgba.size(), 4U);
  EXPECT_EQ(renderer_->render({}, kCamera, {}, 1000, 3).rgba.size(), 12000U);
}

TEST_F(RendererTest, BadCamerasAreRefused) {
  EXPECT_THROW((void)renderer_->render({}, {{0, 0, 0}, {0, 0, 0}, 35}, {}, 10, 10), InputError);
  EXPECT_NO_THROW((void)renderer_->render(boxOnGround(), {{0, 0, 9}, {0, 0, 0}, 35}, {}, 10, 10));
}

TEST_F(RendererTest, MeshesAreForgottenWithTheirOwners) {
  Snapshot snapshot = boxOnGround();
  snapshot.bodies.push_back(snapshot.bodies[0]);
  (void)picture(snapshot);
  EXPECT_EQ(renderer_->meshCount(), 1U);
  snapshot.bodies = {boxAt({0, 0, 0.5}, {}, 0.5), boxAt({1, 0, 0.5}, {}, 0.5)};
  (void)picture(snapshot);
  EXPECT_EQ(renderer_->meshCount(), 2U);
  (void)picture({});
  EXPECT_EQ(renderer_->meshCount(), 2U);
  snapshot.bodies.clear();
  (void)picture({});
  EXPECT_EQ(renderer_->meshCount(), 0U);
}

// A mesh at the address of one that is gone must not be drawn as that one.
TEST_F(RendererTest, AnAddressThatIsUsedAgainIsAnotherMesh) {
  for (int i = 0; i < 20; ++i) {
    Snapshot snapshot;
    snapshot.bodies = {boxAt({0, 0, 0.5}, {1, 0, 0, 1}, i % 2 == 0 ? 1.0 : 0.1)};
    EXPECT_EQ(pixelAt(picture(snapshot), {-0.3, -0.5, 0.5}).b < 0.3F, i % 2 == 0) << i;
  }
}

/// A framebuffer of two pictures side by side, all magenta, as a window that is shared by two views.
class WideFramebuffer {
 public:
  WideFramebuffer() {
    glGenFramebuffers(1, &framebuffer_);
    glGenRenderbuffers(2, buffers_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    attach(0, GL_RGBA8, GL_COLOR_ATTACHMENT0);
    attach(1, GL_DEPTH_COMPONENT24, GL_DEPTH_ATTACHMENT);
    glClearColor(1, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
  }
  ~WideFramebuffer() {
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteRenderbuffers(2, buffers_);
  }
  WideFramebuffer(const WideFramebuffer&) = delete;
  WideFramebuffer& operator=(const WideFramebuffer&) = delete;

  [[nodiscard]] static Image half(int x) {
    Image image{kWidth, kHeight, std::vector<std::uint8_t>(4 * kWidth * kHeight)};
    glReadPixels(x, 0, kWidth, kHeight, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
    for (long top = 0, bottom = kHeight - 1; top < bottom; ++top, --bottom)
      std::swap_ranges(image.rgba.begin() + 4 * kWidth * top, image.rgba.begin() + 4 * kWidth * (top + 1),
                       image.rgba.begin() + 4 * kWidth * bottom);
    return image;
  }
  [[nodiscard]] GLuint name() const { return framebuffer_; }

 private:
  void attach(int i, GLenum format, GLenum attachment) {
    glBindRenderbuffer(GL_RENDERBUFFER, buffers_[i]);
    glRenderbufferStorage(GL_RENDERBUFFER, format, 2 * kWidth, kHeight);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, buffers_[i]);
  }
  GLuint framebuffer_ = 0;
  GLuint buffers_[2] = {};
};

TEST_F(RendererTest, DrawsIntoItsViewportOnly) {
  const WideFramebuffer window;
  renderer_->draw(boxOnGround(), kCamera, {}, {kWidth, 0, kWidth, kHeight});
  EXPECT_THROW(renderer_->draw({}, kCamera, {}, {0, 0, 0, 10}), InputError);
  GLint bound = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
  EXPECT_EQ(static_cast<GLuint>(bound), window.name());
  const Image left = WideFramebuffer::half(0);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) ASSERT_EQ(left.at(x, y), (Colour{1, 0, 1, 1}));
  const Image right = WideFramebuffer::half(kWidth);
  RenderOptions one_sample;
  one_sample.samples = 1;
  EXPECT_LT(differingPixels(picture(boxOnGround(), one_sample), right, 2), 5U);
}

TEST_F(RendererTest, TheSameSnapshotGivesTheSamePicture) {
  EXPECT_EQ(picture(boxOnGround()), picture(boxOnGround()));
}

TEST_F(RendererTest, ContextsOfOtherThreadsAreIndependent) {
  const Image here = picture(boxOnGround());
  Image there;
  std::thread([&] {
    const OffscreenContext context;
    Renderer renderer;
    there = renderer.render(boxOnGround(), kCamera, {}, kWidth, kHeight);
  }).join();
  EXPECT_EQ(here, there);
  EXPECT_EQ(picture(boxOnGround()), here);
}

TEST(Renderer, WithoutAContextItSaysSo) {
  try {
    const Renderer renderer;
    FAIL() << "a renderer without a context";
  } catch (const RenderError& error) {
    EXPECT_NE(std::string(error.what()).find("context"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace odemesh::sim
