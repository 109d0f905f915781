#include "viewer/app.hpp"

#include <algorithm>
#include <cmath>

#include "viewer/framing.hpp"
#include "viewer/halves.hpp"

namespace odemesh::viewer {
namespace {

/// Longer pauses of the display are not caught up with.
constexpr double kLongestFrame = 0.1;  // s
constexpr double kSkip = 0.25;         // s of a recording
constexpr int kNarrowest = 16;         // pixels
constexpr sim::Colour kDragColour{0.95F, 0.45F, 0.05F, 1};

constexpr auto kNever = nullptr;

const Command kCommands[] = {
    {' ', "pause and go on", [](App& a) { a.paused = !a.paused; }, [](const App& a) { return a.paused; }},
    {'N', "a single step", [](App& a) { a.singleStep(); }, kNever},
    {'R', "reset the scene, or go to the start of a recording", [](App& a) { a.reset(); }, kNever},
    {',', "back in a recording", [](App& a) { a.skip(-kSkip); }, kNever},
    {'.', "on in a recording", [](App& a) { a.skip(kSkip); }, kNever},
    {'-', "half the speed", [](App& a) { a.setSpeed(a.speed() / 2); }, kNever},
    {'=', "twice the speed", [](App& a) { a.setSpeed(a.speed() * 2); }, kNever},
    {'F', "frame all", [](App& a) { a.frameAll(); }, kNever},
    {'S', "spawn a body", [](App& a) { a.session().spawn(); }, kNever},
    {'T', "throw a body at the cursor", [](App& a) { a.throwBody(); }, kNever},
    {'C', "the other collider",
     [](App& a) {
       const bool is_ours = a.session().collider() == sim::Collider::kOdemesh;
       a.session().setCollider(is_ours ? sim::Collider::kOde : sim::Collider::kOdemesh);
     },
     kNever},
    {'B', "colliders side by side", [](App& a) { a.setSideBySide(!a.session().isSideBySide()); },
     [](const App& a) { return a.session().isSideBySide(); }},
    {'K', "contacts", [](App& a) { a.view.render.contacts = !a.view.render.contacts; },
     [](const App& a) { return a.view.render.contacts; }},
    {'I', "intersecting triangles", [](App& a) { a.view.intersections = !a.view.intersections; },
     [](const App& a) { return a.view.intersections; }},
    {'V', "bounding volumes", [](App& a) { a.view.bounding_volumes = !a.view.bounding_volumes; },
     [](const App& a) { return a.view.bounding_volumes; }},
    {'[', "larger volumes", [](App& a) { a.view.level = std::max(0, a.view.level - 1); }, kNever},
    {']', "smaller volumes", [](App& a) { a.view.level = std::min(kDeepestLevel, a.view.level + 1); },
     kNever},
    {'W', "wireframe", [](App& a) { a.view.render.wireframe = !a.view.render.wireframe; },
     [](const App& a) { return a.view.render.wireframe; }},
    {'H', "flat shading", [](App& a) { a.view.render.flat_shading = !a.view.render.flat_shading; },
     [](const App& a) { return a.view.render.flat_shading; }},
    {'G', "ground grid", [](App& a) { a.view.render.grid = !a.view.render.grid; },
     [](const App& a) { return a.view.render.grid; }},
    {'L', "shadows", [](App& a) { a.view.render.shadows = !a.view.render.shadows; },
     [](const App& a) { return a.view.render.shadows; }},
    {'D', "high quality",
     [](App& a) {
       sim::Quality& quality = a.view.render.quality;
       quality = quality == sim::Quality::kHigh ? sim::Quality::kLow : sim::Quality::kHigh;
     },
     [](const App& a) { return a.view.render.quality == sim::Quality::kHigh; }},
    {'U', "panels", [](App& a) { a.view.panels = !a.view.panels; },
     [](const App& a) { return a.view.panels; }},
    {'P', "save a picture", [](App& a) { a.wants_picture = true; }, kNever},
    {'Q', "quit", [](App& a) { a.wants_to_close = true; }, kNever},
};

}  // namespace

std::span<const Command> commands() {
  return kCommands;
}

std::string controlsHelp() {
  std::string out;
  for (const Command& command : kCommands)
    out += (command.key == ' ' ? "space" : std::string(1, command.key)) + "  " + command.name + "\n";
  return out +
         "left button: drag a body, or turn the view; right button: move the view; wheel: nearer and "
         "farther\n"
         "drop a mesh file on the window: it falls into the scene; a world or a recording takes its place";
}

App::App(Session session) : session_(std::move(session)) {
  view.render.reference_depth = reddestDepth(session_.extent());
  frameStart();
}

void App::resize(int width, int height) {
  width_ = std::clamp(width, kNarrowest, sim::kMaxImageSide);
  height_ = std::clamp(height, 1, sim::kMaxImageSide);
}

void App::pressKey(char key) {
  for (const Command& command : kCommands)
    if (command.key == key) command.run(*this);
}

void App::pressButton(Button button, double x, double y) {
  moveCursor(x, y);
  if (button == Button::kLeft && !session_.isPlaying()) {
    const std::size_t side = sideAt(x);
    const Ray ray = rayAt(side, x, y);
    if (const std::optional<Hit> hit = pick(artist_.bodiesOf(session_.sides()[side].world()), ray)) {
      const sim::Camera camera = camera_.camera();
      drag_.emplace(session_.sides()[side].world(), *hit, ray, normalised(camera.target - camera.eye));
      drag_side_ = side;
      return;
    }
  }
  moving_view_ = button;
}

void App::releaseButton(Button button) {
  if (button == Button::kLeft) endDrag();
  if (moving_view_ == button) moving_view_.reset();
}

void App::moveCursor(double x, double y) {
  const double right = x - cursor_x_;
  const double down = y - cursor_y_;
  cursor_x_ = x;
  cursor_y_ = y;
  if (drag_) drag_->moveTo(rayAt(drag_side_, x, y));
  if (!moving_view_) return;
  if (*moving_view_ == Button::kLeft) {
    camera_.orbit(right, down, height_);
  } else {
    camera_.pan(right, down, height_);
  }
}

void App::scroll(double steps) {
  camera_.zoom(steps);
}

void App::dropFiles(std::span<const std::string> files) {
  for (const std::string& file : files)
    if (session_.drop(file)) restart();
}

// There is another scene.
void App::restart() {
  endDrag();
  owed_ = 0;
  view.render.reference_depth = reddestDepth(session_.extent());
  frameStart();
}

void App::advance(double seconds, const std::function<bool()>& keep_going) {
  if (paused) return;
  owed_ += std::clamp(seconds, 0.0, kLongestFrame) * speed_;
  const double dt = session_.dt();
  const double due = std::floor(owed_ / dt);
  double done = 0;
  for (; done < due && (!keep_going || keep_going()); ++done) stepOnce();
  owed_ = done < due ? 0 : owed_ - due * dt;
  if (due > 0) kept_pace_ = done / due;
}

void App::singleStep() {
  paused = true;
  if (drag_) drag_->apply(session_.sides()[drag_side_].world());
  session_.singleStep();
}

void App::stepOnce() {
  if (drag_) drag_->apply(session_.sides()[drag_side_].world());
  session_.step();
}

void App::frameAll() {
  frame(artist_.bodiesOf(session_.sides()[0].world()));
}

void App::frameStart() {
  const sim::World& world = session_.sides()[0].world();
  frame(withWayDown(artist_.bodiesOf(world), world));
}

void App::frame(const sim::Snapshot& snapshot) {
  const sim::Viewport half = viewportOf(0);
  camera_.frameAll(snapshot, static_cast<double>(half.width) / half.height);
  if (session_.isSideBySide()) camera_.zoom(-kRoomSteps);
}

void App::setSideBySide(bool on) {
  endDrag();
  owed_ = 0;
  session_.setSideBySide(on);
  frameStart();
}

void App::reset() {
  endDrag();
  owed_ = 0;
  session_.reset();
}

void App::skip(double seconds) {
  session_.seek(session_.time() + seconds);
}

void App::throwBody() {
  session_.throwAlong(rayAt(sideAt(cursor_x_), cursor_x_, cursor_y_));
}

void App::setSpeed(double speed) {
  speed_ = std::clamp(speed, kSlowest, kFastest);
}

void App::endDrag() {
  drag_.reset();
}

std::size_t App::sideAt(double x) const {
  return session_.isSideBySide() && x >= 0.5 * width_ ? 1 : 0;
}

sim::Viewport App::viewportOf(std::size_t side) const {
  return columnsOf(width_, height_, session_.sides().size())[side];
}

Ray App::rayAt(std::size_t side, double x, double y) const {
  const sim::Viewport half = viewportOf(side);
  return camera_.rayThrough(x - half.x, y, half.width, half.height);
}

sim::Snapshot App::snapshotOf(std::size_t side) {
  const sim::World& world = session_.sides()[side].world();
  sim::Snapshot out = artist_.snapshotOf(world, view);
  if (drag_ && drag_side_ == side) out.lines.push_back({{drag_->point(world), drag_->target()}, kDragColour});
  return out;
}

void App::draw(sim::Renderer& renderer) {
  for (std::size_t side = 0; side < session_.sides().size(); ++side)
    renderer.draw(snapshotOf(side), camera_.camera(), view.render, viewportOf(side));
}

sim::Image App::picture(sim::Renderer& renderer) {
  std::vector<sim::Image> halves;
  for (std::size_t side = 0; side < session_.sides().size(); ++side) {
    const sim::Viewport half = viewportOf(side);
    halves.push_back(
        renderer.render(snapshotOf(side), camera_.camera(), view.render, half.width, half.height));
  }
  return joined(halves, width_);
}

}  // namespace odemesh::viewer
