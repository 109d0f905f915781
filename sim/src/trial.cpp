#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/mesh_source.hpp>
#include <odemesh/sim/shapes.hpp>
#include <odemesh/sim/trial.hpp>
#include <sstream>

namespace odemesh::sim {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();
constexpr Bounds kNothing{{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};
constexpr double kRestSeconds = 0.25;

bool isMoving(const Body& body) {
  return !body.isStatic() && !body.parts().empty();
}

RestMonitor monitorFor(const World& world) {
  double radius = 0;
  for (std::size_t i = 0; i < world.bodyCount(); ++i)
    if (isMoving(world.body(i))) radius = std::max(radius, world.body(i).boundingRadius());
  const double steps = std::max(1.0, std::round(kRestSeconds / world.settings().dt));
  return {restThreshold(length(world.settings().gravity), radius), static_cast<std::size_t>(steps)};
}

double* axisOf(Vec3& v, int axis) {
  return axis == 0 ? &v.x : axis == 1 ? &v.y : &v.z;
}

std::string text(const Vec3& v) {
  std::ostringstream out;
  out << "(" << v.x << ", " << v.y << ", " << v.z << ")";
  return out.str();
}

// The verdict `passed`, unless the world has failed.
Verdict judge(const Trial& trial, bool passed, const std::ostringstream& what) {
  if (trial.world().failure()) return {false, "the run failed: " + trial.world().failure()->message};
  return {passed, what.str()};
}

}  // namespace

Trial::Trial(const WorldSettings& settings) : Trial(std::make_unique<World>(settings)) {}

Trial::Trial(std::unique_ptr<World> world) : world_(std::move(world)), reach_(kNothing) {}

Body& Trial::addGround(double size) {
  BodySpec ground;
  ground.name = "ground";
  ground.is_static = true;
  ground.parts.push_back({MeshGeometry{CollisionMesh::make(makeBox({size, size, size / 10}))}});
  ground.pose.translation.z = -size / 20;
  return world_->addBody(ground);
}

Body& Trial::addMesh(const std::string& source, const Vec3& position, std::optional<double> mass,
                     const LoadOptions& options) {
  std::ostringstream key;
  key << source << '|' << std::hexfloat << options.scale << '|' << static_cast<int>(options.up);
  std::shared_ptr<const CollisionMesh>& mesh = meshes_[key.str()];
  if (!mesh) mesh = CollisionMesh::make(loadMeshSource(source, options).mesh);
  BodySpec body;
  body.name = mesh->mesh().name + " #" + std::to_string(world_->bodyCount());
  body.parts.push_back({MeshGeometry{mesh}});
  body.pose.translation = position;
  body.mass = mass;
  return world_->addBody(body);
}

void Trial::mark() {
  greatest_depth_ = 0;
  reach_ = kNothing;
  rest_ = monitorFor(*world_);
  marked_.clear();
  for (std::size_t i = 0; i < world_->bodyCount(); ++i) {
    marked_.push_back(world_->body(i).pose());
    extendReach(world_->body(i));
  }
}

void Trial::run(std::uint64_t steps) {
  if (marked_.size() != world_->bodyCount()) mark();
  for (std::uint64_t i = 0; i < steps && !world_->failure(); ++i) {
    world_->step();
    observe();
  }
}

void Trial::runSeconds(double seconds) {
  const double steps = std::ceil(seconds / world_->settings().dt - 1e-9);
  if (!(steps >= 0 && steps <= 1e9))
    throw InputError("the time to run is not from 0 to 1e9 steps; give seconds that make fewer");
  run(static_cast<std::uint64_t>(steps));
}

void Trial::observe() {
  const StepMetrics now = world_->metrics();
  greatest_depth_ = std::max(greatest_depth_, now.greatest_depth);
  rest_.add(now.rms_speed);
  for (std::size_t i = 0; i < world_->bodyCount(); ++i) extendReach(world_->body(i));
}

// Bounding spheres first: most of the time they are well inside of what has been reached already.
void Trial::extendReach(const Body& body) {
  if (!isMoving(body) || !body.isFinite()) return;
  const Vec3 centre = body.centreOfMass();
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 direction{axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
    double& low = *axisOf(reach_.low, axis);
    double& high = *axisOf(reach_.high, axis);
    if (centre[axis] - body.boundingRadius() < low) low = std::min(low, -body.support(-direction));
    if (centre[axis] + body.boundingRadius() > high) high = std::max(high, body.support(direction));
  }
}

double Trial::moved(const Body& body) const {
  if (body.isStatic() || body.index() >= marked_.size()) return 0;
  const Pose& from = marked_[body.index()];
  const Pose now = body.pose();
  const double way = length(now.apply(body.inertial().centre) - from.apply(body.inertial().centre));
  const Mat3 turn = now.rotation * from.rotation.transposed();
  const double trace = turn.row[0].x + turn.row[1].y + turn.row[2].z;
  // The chord of the angle: 2 sin(angle / 2), from trace = 1 + 2 cos(angle).
  const double chord = std::sqrt(std::max(0.0, 3 - trace));
  return std::max(way, chord * body.boundingRadius());
}

Verdict isAtRest(const Trial& trial, std::optional<double> speed) {
  const double limit = speed.value_or(trial.rest().threshold());
  const double found = trial.rest().rmsSpeed();
  const double seconds = static_cast<double>(trial.rest().steps()) * trial.world().settings().dt;
  std::ostringstream what;
  what << "the RMS speed over the last " << seconds << " s is " << found << " m/s; at rest means at most "
       << limit;
  return judge(trial, found <= limit, what);
}

Verdict overlapsAtMost(const Trial& trial, double depth) {
  std::ostringstream what;
  what << "the deepest contact was of " << trial.greatestDepth() << " m; allowed are " << depth;
  return judge(trial, trial.greatestDepth() <= depth, what);
}

Verdict staysInside(const Trial& trial, const Bounds& box) {
  const Bounds& reach = trial.reach();
  bool inside = true;
  for (int axis = 0; axis < 3; ++axis)
    inside = inside && reach.low[axis] >= box.low[axis] && reach.high[axis] <= box.high[axis];
  std::ostringstream what;
  what << "the bodies were within " << text(reach.low) << " to " << text(reach.high) << "; allowed is "
       << text(box.low) << " to " << text(box.high);
  return judge(trial, inside, what);
}

Verdict stands(const Trial& trial, double distance) {
  double most = 0;
  std::string name = "nothing";
  for (std::size_t i = 0; i < trial.world().bodyCount(); ++i) {
    const Body& body = trial.world().body(i);
    if (const double moved = trial.moved(body); !(moved <= most)) {
      most = moved;
      name = "body '" + body.name() + "'";
    }
  }
  std::ostringstream what;
  what << name << " moved most, by " << most << " m; allowed are " << distance;
  return judge(trial, most <= distance, what);
}

Verdict hasHash(const Trial& trial, std::uint64_t hash) {
  const std::uint64_t found = trial.world().stateHash();
  std::ostringstream what;
  what << "the state's hash is " << hashText(found) << "; expected is " << hashText(hash);
  return judge(trial, found == hash, what);
}

Verdict hasSameHash(const Trial& trial, const Trial& other) {
  return hasHash(trial, other.world().stateHash());
}

std::string hashText(std::uint64_t hash) {
  std::ostringstream out;
  out << std::hex << std::setw(16) << std::setfill('0') << hash;
  return out.str();
}

}  // namespace odemesh::sim
