#include "viewer/app.hpp"

#include <gtest/gtest.h>

#include <odemesh/sim/render/offscreen_context.hpp>
#include <set>

#include "viewer_scenes.hpp"

namespace odemesh::viewer {
namespace {

App makeApp(MakeScene make = fallingBox, bool side_by_side = false) {
  App app(Session(std::move(make), sim::Collider::kOdemesh, side_by_side));
  app.resize(320, 200);
  app.frameAll();
  return app;
}

std::uint64_t stepsOf(const App& app) {
  return app.session().sides()[0].world().metrics().step;
}

const sim::World& worldOf(const App& app, std::size_t side = 0) {
  return app.session().sides()[side].world();
}

// Where a point of the world is drawn in a side.
sim::ProjectedPoint onScreen(const App& app, std::size_t side, const Vec3& point) {
  const sim::Viewport half = app.viewportOf(side);
  auto out = sim::project(app.camera().camera(), point, half.width, half.height).value();
  out.x += half.x;
  return out;
}

TEST(AppTime, StepsAreFixedWhateverTheDisplayDoes) {
  App app = makeApp();
  app.advance(1.0 / 60 + 1e-9);
  EXPECT_EQ(stepsOf(app), 4U);
  for (int i = 0; i < 10; ++i) app.advance(0.001);  // shorter than a step of 1/240 s
  EXPECT_EQ(stepsOf(app), 6U);
  app.advance(1e9);  // a display that hung; 0.1 s at most
  EXPECT_EQ(stepsOf(app), 30U);
  app.advance(-1);
  EXPECT_EQ(stepsOf(app), 30U);
}

TEST(AppTime, SpeedPauseAndSingleSteps) {
  App app = makeApp();
  app.pressKey('=');
  EXPECT_EQ(app.speed(), 2);
  app.advance(0.05 + 1e-9);
  EXPECT_EQ(stepsOf(app), 24U);
  for (int i = 0; i < 30; ++i) app.pressKey('-');
  EXPECT_EQ(app.speed(), kSlowest);
  app.pressKey(' ');
  app.advance(0.1);
  EXPECT_EQ(stepsOf(app), 24U);
  app.pressKey('N');
  EXPECT_EQ(stepsOf(app), 25U);
  app.pressKey('R');
  EXPECT_EQ(stepsOf(app), 0U);
  EXPECT_TRUE(app.paused);
}

TEST(AppTime, ASimulationThatIsTooSlowDoesNotHoldUpTheDisplay) {
  App app = makeApp();
  int left = 5;
  app.advance(0.1, [&] { return left-- > 0; });
  EXPECT_EQ(stepsOf(app), 5U);
  EXPECT_NEAR(app.keptPace(), 5.0 / 24, 1e-12);
  app.advance(0.001);  // nothing is owed
  EXPECT_EQ(stepsOf(app), 5U);
}

TEST(AppInput, EveryKeyHasOneCommandAndUnknownOnesNone) {
  std::set<char> keys;
  for (const Command& command : commands()) {
    EXPECT_TRUE(keys.insert(command.key).second) << command.key;
    EXPECT_NE(controlsHelp().find(command.name), std::string::npos);
  }
  App app = makeApp();
  app.pressKey('\1');
  for (const Command& command : commands()) {
    if (command.is_on == nullptr) continue;
    const bool before = command.is_on(app);
    app.pressKey(command.key);
    EXPECT_NE(command.is_on(app), before) << command.name;
    app.pressKey(command.key);
    EXPECT_EQ(command.is_on(app), before) << command.name;
  }
}

TEST(AppInput, TheLeftButtonDragsTheBodyUnderTheCursor) {
  App app = makeApp();
  const auto at = onScreen(app, 0, {0, 0, 1.5});
  app.pressButton(Button::kLeft, at.x, at.y);
  ASSERT_TRUE(app.drag());
  EXPECT_EQ(app.drag()->body(), 1U);
  app.moveCursor(at.x, at.y - 40);
  for (int i = 0; i < 60; ++i) app.advance(1.0 / 60);
  EXPECT_GT(app.drag()->point(worldOf(app)).z, 1.6);  // lifted against gravity
  app.releaseButton(Button::kLeft);
  EXPECT_FALSE(app.drag());
  for (int i = 0; i < 60; ++i) app.advance(1.0 / 60);
  EXPECT_LT(worldOf(app).body(1).centreOfMass().z, 1.6);
}

TEST(AppInput, ElsewhereTheButtonsMoveTheView) {
  App app = makeApp();
  const sim::Camera before = app.camera().camera();
  app.pressButton(Button::kLeft, 3, 3);
  EXPECT_FALSE(app.drag());
  app.moveCursor(40, 20);
  EXPECT_NE(app.camera().camera().eye, before.eye);
  EXPECT_EQ(app.camera().camera().target, before.target);
  app.releaseButton(Button::kLeft);
  const sim::Camera turned = app.camera().camera();
  app.moveCursor(80, 60);
  EXPECT_EQ(app.camera().camera().eye, turned.eye);
  app.pressButton(Button::kRight, 100, 100);
  app.moveCursor(120, 100);
  EXPECT_NE(app.camera().camera().target, turned.target);
  app.releaseButton(Button::kRight);
  app.scroll(2);
  EXPECT_LT(length(app.camera().camera().eye - app.camera().camera().target),
            length(turned.eye - turned.target));
}

TEST(AppInput, TheViewAtTheStartHoldsTheWayDown) {
  const App app = makeApp();
  App started(Session(fallingBox, sim::Collider::kOdemesh, false));
  for (const Vec3 corner : {Vec3{0.5, 0.5, 2}, Vec3{-0.5, 0.5, 0}, Vec3{0.5, -0.5, 0}}) {
    const auto at = onScreen(started, 0, corner);
    EXPECT_TRUE(at.x > 0 && at.x < started.width() && at.y > 0 && at.y < started.height());
  }
  EXPECT_LT(length(app.camera().camera().eye - app.camera().camera().target),
            length(started.camera().camera().eye - started.camera().camera().target));
}

TEST(AppInput, SideBySideTheBodyOfTheHalfUnderTheCursorIsDragged) {
  App app = makeApp(fallingBox, true);
  const auto at = onScreen(app, 1, {0, 0, 1.5});
  EXPECT_GT(at.x, 160);
  app.pressButton(Button::kLeft, at.x, at.y);
  ASSERT_TRUE(app.drag());
  app.moveCursor(at.x, at.y - 30);
  for (int i = 0; i < 30; ++i) app.advance(1.0 / 60);
  EXPECT_GT(worldOf(app, 1).body(1).centreOfMass().z, worldOf(app, 0).body(1).centreOfMass().z + 0.3);
  app.pressKey('B');  // the dragged world is gone
  EXPECT_FALSE(app.drag());
  app.advance(0.1);
}

TEST(AppInput, DroppedFilesGoOneByOne) {
  App app = makeApp();
  const std::string files[] = {"shape:sphere", "/no/such/mesh.stl", "shape:cone"};
  app.dropFiles(files);
  EXPECT_EQ(worldOf(app).bodyCount(), 4U);
  app.pressKey('T');
  EXPECT_EQ(worldOf(app).bodyCount(), 5U);
}

// Pictures, where there is OpenGL.
class AppPicture : public testing::Test {
 protected:
  void SetUp() override {
    if (!sim::OffscreenContext::hasEgl()) GTEST_SKIP() << "no EGL here";
    context_.emplace();
    renderer_.emplace();
  }
  void TearDown() override {
    renderer_.reset();
    context_.reset();
  }
  sim::Image picture(App& app) { return app.picture(*renderer_); }

  std::optional<sim::OffscreenContext> context_;
  std::optional<sim::Renderer> renderer_;
};

/// Share of pixels that differ by more than noise, in columns [from, to) of both pictures.
double difference(const sim::Image& a, const sim::Image& b) {
  EXPECT_EQ(a.width, b.width);
  EXPECT_EQ(a.height, b.height);
  int count = 0;
  for (std::size_t i = 0; i < a.rgba.size(); i += 4)
    for (std::size_t c = i; c < i + 3; ++c)
      if (std::abs(a.rgba[c] - b.rgba[c]) > 12) {
        ++count;
        break;
      }
  return count / (double(a.width) * a.height);
}

sim::Image half(const sim::Image& whole, const sim::Viewport& place) {
  sim::Image out{place.width, whole.height, {}};
  for (int y = 0; y < whole.height; ++y) {
    const auto row = whole.rgba.begin() + 4 * (static_cast<std::ptrdiff_t>(whole.width) * y + place.x);
    out.rgba.insert(out.rgba.end(), row, row + 4 * static_cast<std::ptrdiff_t>(place.width));
  }
  return out;
}

TEST_F(AppPicture, EverySwitchOfTheViewCanBeSeenAndTakenBack) {
  App app = makeApp(libraryScene("stacks/2"));
  for (int i = 0; i < 6; ++i) app.advance(1.0 / 60);
  const sim::Image plain = picture(app);
  for (const char key : {'K', 'I', 'V', 'W', 'G', 'L'}) {
    app.pressKey(key);
    const double changed = difference(plain, picture(app));
    EXPECT_GT(changed, 0.002) << key;
    EXPECT_LT(changed, 0.7) << key;
    app.pressKey(key);
    EXPECT_EQ(difference(plain, picture(app)), 0) << key;
  }
}

TEST_F(AppPicture, TheStackStandsUnderOdemeshAndFallsUnderOdesOwn) {
  App app = makeApp(libraryScene("stacks/5"), true);
  const sim::Image start = picture(app);
  ASSERT_EQ(start.width, 320);
  EXPECT_EQ(difference(half(start, app.viewportOf(0)), half(start, app.viewportOf(1))), 0);
  for (int i = 0; i < 60; ++i) app.advance(1.0 / 60);
  const sim::Image end = picture(app);
  EXPECT_LT(difference(half(start, app.viewportOf(0)), half(end, app.viewportOf(0))), 0.01);
  EXPECT_GT(difference(half(start, app.viewportOf(1)), half(end, app.viewportOf(1))), 0.05);
}

TEST_F(AppPicture, BoundingVolumesGetSmallerByLevel) {
  App app = makeApp();
  app.dropFiles(std::vector<std::string>{ODEMESH_EXAMPLE_MESHES "/spot.obj"});
  app.pressKey('V');
  app.view.level = 0;
  const std::size_t one_each = app.snapshotOf(0).lines.size();
  EXPECT_EQ(one_each, 2U * 12);
  app.pressKey(']');
  const std::size_t several_each = app.snapshotOf(0).lines.size();
  EXPECT_GE(several_each, 4U * 12);
  EXPECT_LE(several_each, 16U * 12);
  for (int i = 0; i < 100; ++i) app.pressKey('[');
  EXPECT_EQ(app.snapshotOf(0).lines.size(), one_each);
}

TEST_F(AppPicture, IntersectingTrianglesAreThoseThatMeet) {
  App app = makeApp(libraryScene("poses/crossed-edges"));
  app.pressKey('I');
  const std::size_t marked = app.snapshotOf(0).triangles.size();
  EXPECT_GE(marked, 4U);   // two faces at each of the two edges
  EXPECT_LT(marked, 24U);  // not whole boxes
  App alone = makeApp();
  alone.pressKey('I');
  EXPECT_TRUE(alone.snapshotOf(0).triangles.empty());
}

}  // namespace
}  // namespace odemesh::viewer
