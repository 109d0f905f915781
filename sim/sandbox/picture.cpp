#include "picture.hpp"

#include <algorithm>
#include <cmath>
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
      : studio_(worlds, options), file_(options.video, options.size, options.fps), fps_(options.fps) {
    studio_.frame(viewer::withWayDown(studio_.bodies(), studio_.world()));
  }

  // A picture that is due more than once, as steps are longer than frames, is drawn once.
  void add(double time) {
    if (!isDue(time)) return;
    const sim::Image picture = studio_.draw();
    for (; isDue(time); ++frames_) file_.write(picture);
  }

  std::size_t finish() {
    file_.finish();
    return frames_;
  }

 private:
  // Half a step early counts, so that rounding does not.
  [[nodiscard]] bool isDue(double time) const {
    return time >= static_cast<double>(frames_) / fps_ - 0.5 * studio_.world().settings().dt;
  }

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

void Film::add(double time) {
  if (impl_ != nullptr) impl_->add(time);
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

namespace {

viewer::Session sessionOfRecording(const std::string& file) {
  static_cast<void>(sim::readRecordingNotes(file));  // refuses what is none
  viewer::Session session(emptyScene, sim::Collider::kOdemesh, false);
  session.open(file);
  return session;
}

}  // namespace

std::string showRecording(const Options& options) {
  return show(sessionOfRecording(options.play), options);
}

DrawnRecording drawRecording(const Options& options, const std::function<void(double, double)>& progress) {
  viewer::Session session = sessionOfRecording(options.play);
  const std::vector<const sim::World*> worlds = {&session.sides()[0].world()};
  DrawnRecording out;
  out.seconds = std::min(options.seconds.value_or(session.duration()), session.duration());
  if (!options.video.empty()) {
    Film film(worlds, options);
    out.problem = film.problem();
    const auto frames = static_cast<std::size_t>(std::floor(out.seconds * options.fps + 0.5));
    for (std::size_t i = 0; out.problem.empty() && i <= frames; ++i) {
      const double time = static_cast<double>(i) / options.fps;
      session.seek(time);
      film.add(time);
      progress(static_cast<double>(i) / static_cast<double>(frames + 1), time);
    }
    if (out.problem.empty()) out.frames = film.finish();
  }
  session.seek(out.seconds);
  if (!options.screenshot.empty() && out.problem.empty()) out.problem = savePicture(worlds, options);
  return out;
}

std::string controlsHelp() {
  return viewer::controlsHelp();
}

}  // namespace odemesh::sandbox
