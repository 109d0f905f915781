#include "viewer/session.hpp"

#include <algorithm>
#include <cmath>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/mesh_source.hpp>
#include <odemesh/sim/world_file.hpp>
#include <sstream>

namespace odemesh::viewer {
namespace {

constexpr std::size_t kMostInSupply = 64;
constexpr double kOddSize = 100;  // times the scene's size, or the inverse, at which a unit is doubted

// What a new body of the same kind is made from.
sim::BodySpec specOf(const sim::Body& body) {
  sim::BodySpec spec;
  spec.name = body.name();
  spec.parts = body.parts();
  spec.inertial = body.inertial();
  return spec;
}

double radiusAboutCentre(const sim::BodySpec& spec, const Vec3& centre) {
  double radius = 0;
  for (const sim::Part& part : spec.parts)
    radius = std::max(radius, sim::radiusAbout(part.geometry, part.pose.inverse().apply(centre)));
  return radius;
}

Vec3 centreOf(const sim::BodySpec& spec) {
  return spec.inertial ? spec.inertial->centre : Vec3{};
}

bool contains(const sim::WorldSettings& settings, const Vec3& p) {
  for (int axis = 0; axis < 3; ++axis)
    if (!(p[axis] > settings.kill_min[axis] && p[axis] < settings.kill_max[axis])) return false;
  return true;
}

std::string fileName(const std::string& file) {
  return std::filesystem::path(file).filename().string();
}

bool isGlb(const std::string& file) {
  return std::filesystem::path(file).extension() == ".glb";
}

std::string loadedText(const sim::CollisionMesh& mesh) {
  std::ostringstream out;
  out << mesh.mesh().name << ": " << mesh.mesh().triangles.size() << " triangles, "
      << 2 * mesh.boundingRadius() << " m across";
  return out.str();
}

// Dynamic bodies that are where a number says.
template <class Visit>
void forEachMoving(const sim::World& world, Visit&& visit) {
  for (std::size_t i = 0; i < world.bodyCount(); ++i) {
    const sim::Body& body = world.body(i);
    if (!body.isStatic() && body.isFinite()) visit(body);
  }
}

}  // namespace

Session::Session(MakeScene make, sim::Collider collider, bool side_by_side, FileOptions files)
    : collider_(collider), files_(std::move(files)) {
  startScene(std::move(make), side_by_side, nullptr);
}

std::deque<Side> Session::sidesOf(const MakeScene& make, bool side_by_side) const {
  std::deque<Side> sides;
  if (side_by_side) {
    sides.push_back({sim::Collider::kOdemesh, make(sim::Collider::kOdemesh), {}});
    sides.push_back({sim::Collider::kOde, make(sim::Collider::kOde), {}});
  } else {
    sides.push_back({collider_, make(collider_), {}});
  }
  return sides;
}

// Nothing has changed if `make` throws.
void Session::startScene(MakeScene make, bool side_by_side,
                         std::shared_ptr<const sim::RecordedMotion> motion) {
  sides_ = sidesOf(make, side_by_side);
  make_ = std::move(make);
  motion_ = std::move(motion);
  play_time_ = 0;
  extent_ = extentOf(sides_[0].world());
  collectSupply();
}

void Session::reset() {
  if (isPlaying()) return seek(0);
  sides_ = sidesOf(make_, isSideBySide());
}

void Session::setSideBySide(bool on) {
  if (!isPlaying()) sides_ = sidesOf(make_, on);
}

void Session::setCollider(sim::Collider collider) {
  if (isSideBySide() || isPlaying()) return;
  collider_ = collider;
  sides_[0].collider = collider;
  sides_[0].world().setCollider(collider);
}

double Session::time() const {
  if (isPlaying()) return play_time_;
  double time = 0;
  for (const Side& side : sides_) time = std::max(time, side.world().metrics().time);
  return time;
}

void Session::step() {
  if (isPlaying()) return seek(play_time_ + dt());
  for (Side& side : sides_) {
    if (side.world().failure()) continue;
    if (side.run.drive) side.run.drive(side.world());
    side.history.add(side.world().step());
    if (const auto& failure = side.world().failure())
      note(LogLine::Kind::kError, std::string(sim::colliderName(side.collider)) + ": " + failure->message);
  }
}

void Session::seek(double time) {
  if (!isPlaying()) return;
  play_time_ = std::clamp(time, 0.0, motion_->duration());
  sim::World& world = sides_[0].world();
  for (std::size_t i = 0; i < world.bodyCount(); ++i)
    if (!world.body(i).isStatic()) world.body(i).setPose(motion_->pose(i, play_time_));
}

void Session::singleStep() {
  if (!isPlaying()) return step();
  const std::vector<double>& times = motion_->times;
  const auto next = std::upper_bound(times.begin(), times.end(), play_time_);
  if (next != times.end()) seek(*next);
}

// Bodies of a recording have no mass that they could be spawned with.
void Session::collectSupply() {
  supply_.clear();
  next_ = 0;
  if (isPlaying()) return;
  forEachMoving(sides_[0].world(), [&](const sim::Body& body) {
    if (supply_.size() < kMostInSupply) supply_.push_back(specOf(body));
  });
}

// Over the scene's middle, above whatever is there in any of the worlds.
Vec3 Session::placeAbove(double radius) const {
  double top = extent_.centre.z;
  for (const Side& side : sides_)
    forEachMoving(side.world(), [&](const sim::Body& body) {
      const Vec3 offset = body.centreOfMass() - extent_.centre;
      if (std::hypot(offset.x, offset.y) < radius + body.boundingRadius())
        top = std::max(top, body.centreOfMass().z + body.boundingRadius());
    });
  return {extent_.centre.x, extent_.centre.y, top + 1.2 * radius};
}

void Session::add(sim::BodySpec spec, const Vec3& centre, const Vec3& velocity) {
  if (isPlaying())
    throw sim::InputError(
        "nothing can fall into a recording; drop a world, or start the program with meshes");
  if (!contains(sides_[0].world().settings(), centre))
    throw sim::InputError(spec.name + " is too large for this scene; give its unit with --scale");
  spec.name += " (added " + std::to_string(++added_) + ")";
  spec.pose.translation = centre - centreOf(spec);
  spec.linear_velocity = velocity;
  for (Side& side : sides_) side.world().addBody(spec);
}

const sim::BodySpec& Session::nextOfSupply() {
  if (supply_.empty()) throw sim::InputError("there is no body to add; drop a mesh file on the window first");
  return supply_[next_++ % supply_.size()];
}

void Session::spawn() {
  logErrorsOf([&] {
    const sim::BodySpec& spec = nextOfSupply();
    add(spec, placeAbove(radiusAboutCentre(spec, centreOf(spec))), {});
  });
}

void Session::throwAlong(const Ray& ray) {
  logErrorsOf([&] {
    const sim::BodySpec& spec = nextOfSupply();
    const double gravity = std::max(1.0, length(sides_[0].world().settings().gravity));
    const double radius = radiusAboutCentre(spec, centreOf(spec));
    add(spec, ray.origin + ray.direction * (2 * radius),
        ray.direction * (3 * std::sqrt(gravity * extent_.radius)));
  });
}

bool Session::drop(const std::string& file) {
  bool is_another = false;
  logErrorsOf([&] { is_another = open(file); });
  return is_another;
}

bool Session::open(const std::string& file) {
  if (sim::isWorldFile(file)) {
    openWorld(file);
  } else if (isGlb(file) && sim::isRecording(file)) {
    openRecording(file);
  } else {
    openMesh(file);
    return false;
  }
  return true;
}

void Session::openWorld(const std::string& file) {
  const auto world =
      std::make_shared<const sim::WorldDescription>(sim::loadWorldFile(file, {files_.model_path, collider_}));
  const auto make = [world](sim::Collider collider) {
    sim::WorldDescription description = *world;
    description.settings.collider = collider;
    sim::SceneRun run;
    run.world = sim::makeWorld(description);
    return run;
  };
  startScene(make, isSideBySide(), nullptr);
  note(LogLine::Kind::kNote, fileName(file) + ": " + std::to_string(world->bodies.size()) + " bodies, " +
                                 std::to_string(world->joints.size()) + " joints");
  for (const std::string& warning : world->warnings) note(LogLine::Kind::kWarning, warning);
}

void Session::openRecording(const std::string& file) {
  const auto motion = std::make_shared<const sim::RecordedMotion>(sim::readRecording(file));
  const auto make = [motion](sim::Collider) {
    sim::SceneRun run;
    run.world = std::make_unique<sim::World>();
    for (const sim::BodySpec& body : motion->bodies) run.world->addBody(body);
    return run;
  };
  startScene(make, false, motion);
  std::ostringstream text;
  text << fileName(file) << ": a recording of " << motion->duration() << " s, " << motion->times.size()
       << " frames, " << motion->bodies.size() << " bodies";
  note(LogLine::Kind::kNote, text.str());
}

void Session::openMesh(const std::string& file) {
  sim::LoadedMesh loaded = sim::loadMeshSource(file, files_.load);
  const auto mesh = sim::CollisionMesh::make(loaded.mesh);
  sim::BodySpec spec;
  spec.name = mesh->mesh().name;
  spec.parts.push_back({sim::MeshGeometry{mesh}});
  spec.inertial = sim::solidInertial(spec.parts[0].geometry, 1000);
  const double radius = mesh->boundingRadius();
  add(spec, placeAbove(radius), {});
  supply_.assign(1, spec);
  note(LogLine::Kind::kNote, loadedText(*mesh));
  for (const std::string& warning : loaded.warnings) note(LogLine::Kind::kWarning, warning);
  for (const std::string& warning : mesh->massWarnings()) note(LogLine::Kind::kWarning, warning);
  if (radius > kOddSize * extent_.radius || radius * kOddSize < extent_.radius)
    note(LogLine::Kind::kWarning,
         spec.name + " is of another size than the scene by far; --scale gives its unit");
}

void Session::logErrorsOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const sim::InputError& error) {
    note(LogLine::Kind::kError, error.what());
  }
}

void Session::note(LogLine::Kind kind, std::string text) {
  log_.push_back({kind, std::move(text)});
}

}  // namespace odemesh::viewer
