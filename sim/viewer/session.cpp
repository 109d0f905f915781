#include "viewer/session.hpp"

#include <algorithm>
#include <cmath>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/mesh_source.hpp>
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

Session::Session(MakeScene make, sim::Collider collider, bool side_by_side, sim::LoadOptions load)
    : make_(std::move(make)), collider_(collider), load_(load) {
  setSideBySide(side_by_side);
  collectSupply();
}

void Session::reset() {
  setSideBySide(isSideBySide());
}

void Session::setSideBySide(bool on) {
  std::deque<Side> sides;
  if (on) {
    sides.push_back({sim::Collider::kOdemesh, make_(sim::Collider::kOdemesh), {}});
    sides.push_back({sim::Collider::kOde, make_(sim::Collider::kOde), {}});
  } else {
    sides.push_back({collider_, make_(collider_), {}});
  }
  sides_.swap(sides);
  extent_ = extentOf(sides_[0].world());
}

void Session::setCollider(sim::Collider collider) {
  if (isSideBySide()) return;
  collider_ = collider;
  sides_[0].collider = collider;
  sides_[0].world().setCollider(collider);
}

double Session::time() const {
  double time = 0;
  for (const Side& side : sides_) time = std::max(time, side.world().metrics().time);
  return time;
}

void Session::step() {
  for (Side& side : sides_) {
    if (side.world().failure()) continue;
    if (side.run.drive) side.run.drive(side.world());
    side.history.add(side.world().step());
    if (const auto& failure = side.world().failure())
      note(LogLine::Kind::kError, std::string(sim::colliderName(side.collider)) + ": " + failure->message);
  }
}

void Session::collectSupply() {
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

void Session::drop(const std::string& file) {
  logErrorsOf([&] {
    sim::LoadedMesh loaded = sim::loadMeshSource(file, load_);
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
  });
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
