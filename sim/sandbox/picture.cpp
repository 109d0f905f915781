#include "picture.hpp"

#include <algorithm>
#include <odemesh/sim/recording.hpp>
#include <odemesh/sim/render/offscreen_context.hpp>
#include <odemesh/sim/render/render_error.hpp>

#include "video_file.hpp"
#include "viewer/halves.hpp"
#include "window.hpp"

namespace odemesh::sandbox {
namespace {

bool isShown(const Options& options, const char* what) {
  return std::find(options.show.begin(), options.show.end(), what) != options.show.end();
}

viewer::ViewOptions viewOf(const Options& options, const viewer::Extent& extent) {
  viewer::ViewOptions view;
  if (options.quality == "low") view.render.quality = sim::Quality::kLow;
  view.render.contacts = isShown(options, "contacts");
  view.render.wireframe = isShown(options, "wireframe");
  view.render.flat_shading = isShown(options, "flat");
  view.render.shadows = !isShown(options, "no-shadows");
  view.render.grid = !isShown(options, "no-grid");
  view.render.reference_depth = viewer::reddestDepth(extent);
  view.intersections = isShown(options, "intersections");
  view.bounding_volumes = isShown(options, "volumes");
  return view;
}

/// Draws worlds off screen, next to each other and seen alike.
class Studio {
 public:
  Studio(std::vector<const sim::World*> worlds, const Options& options)
      : worlds_(std::move(worlds)),
        size_(options.size),
        view_(viewOf(options, viewer::extentOf(*worlds_[0]))),
        columns_(viewer::columnsOf(size_.width, size_.height, worlds_.size())) {}

  /// What is in `snapshot`, with room around it where there are several worlds.
  void frame(const sim::Snapshot& snapshot) {
    camera_.frameAll(snapshot, static_cast<double>(columns_[0].width) / columns_[0].height);
    if (worlds_.size() > 1) camera_.zoom(-viewer::kRoomSteps);
  }
  [[nodiscard]] const sim::World& world() const { return *worlds_[0]; }
  [[nodiscard]] sim::Snapshot bodies() { return artist_.bodiesOf(world()); }

  [[nodiscard]] sim::Image draw() {
    std::vector<sim::Image> images;
    images.reserve(worlds_.size());
    for (const sim::World* world : worlds_)
      images.push_back(renderer_.render(artist_.snapshotOf(*world, view_), camera_.camera(), view_.render,
                                        columns_[0].width, columns_[0].height));
    if (worlds_.size() == 1) return std::move(images[0]);
    sim::Image picture = viewer::joined(images, size_.width);
    for (std::size_t i = 0; i < worlds_.size(); ++i)
      addCaption(worlds_[i]->settings().collider, columns_[i], picture);
    return picture;
  }

 private:
  std::vector<const sim::World*> worlds_;
  PictureSize size_;
  viewer::ViewOptions view_;
  std::vector<sim::Viewport> columns_;
  sim::OffscreenContext context_;
  sim::Renderer renderer_;
  viewer::Artist artist_;
  viewer::OrbitCamera camera_;
};

}  // namespace

std::string savePicture(const std::vector<const sim::World*>& worlds, const Options& options) {
  try {
    Studio studio(worlds, options);
    studio.frame(studio.bodies());
    sim::savePng(studio.draw(), options.screenshot);
  } catch (const sim::RenderError& error) {
    return error.what();
  }
  return "";
}

class Film::Impl {
 public:
  Impl(const std::vector<const sim::World*>& worlds, const Options& options)
      : worlds_(worlds),
        studio_(worlds, options),
        file_(options.video, options.size, options.fps),
        fps_(options.fps) {
    studio_.frame(viewer::withWayDown(studio_.bodies(), studio_.world()));
  }

  // A picture that is due more than once, as steps are longer than frames, is drawn once.
  void add() {
    if (!isDue()) return;
    const sim::Image picture = studio_.draw();
    for (; isDue(); ++frames_) file_.write(picture);
  }

  std::size_t finish() {
    file_.finish();
    return frames_;
  }

 private:
  // Half a step early counts, so that rounding does not.
  [[nodiscard]] bool isDue() const {
    double time = 0;
    for (const sim::World* world : worlds_) time = std::max(time, world->metrics().time);
    return time >= static_cast<double>(frames_) / fps_ - 0.5 * worlds_[0]->settings().dt;
  }

  std::vector<const sim::World*> worlds_;
  Studio studio_;
  VideoFile file_;
  int fps_;
  std::size_t frames_ = 0;
};

Film::Film(const std::vector<const sim::World*>& worlds, const Options& options) {
  try {
    impl_ = std::make_unique<Impl>(worlds, options);
  } catch (const sim::RenderError& error) {
    problem_ = error.what();
  }
}

Film::~Film() = default;

void Film::add() {
  if (impl_ != nullptr) impl_->add();
}

std::size_t Film::finish() {
  return impl_ != nullptr ? impl_->finish() : 0;
}

namespace {

viewer::FileOptions fileOptionsOf(const Options& options) {
  return {options.load, {options.model_path.begin(), options.model_path.end()}};
}

std::string show(viewer::Session session, const Options& options) {
  viewer::App app(std::move(session));
  app.view = viewOf(options, app.session().extent());
  return openWindow(app, options);
}

sim::SceneRun emptyScene(sim::Collider) {
  sim::SceneRun run;
  run.world = std::make_unique<sim::World>();
  return run;
}

}  // namespace

std::string showWindow(const std::function<sim::SceneRun(sim::Collider)>& make,
                       const std::vector<std::string>& warnings, const Options& options) {
  viewer::Session session(make, options.world.collider, options.side_by_side, fileOptionsOf(options));
  for (const std::string& warning : warnings) session.note(viewer::LogLine::Kind::kWarning, warning);
  return show(std::move(session), options);
}

std::string showRecording(const Options& options) {
  static_cast<void>(sim::readRecordingNotes(options.play));
  viewer::Session session(emptyScene, sim::Collider::kOdemesh, false);
  session.open(options.play);
  return show(std::move(session), options);
}

std::string controlsHelp() {
  return viewer::controlsHelp();
}

}  // namespace odemesh::sandbox
