#include <algorithm>
#include <chrono>
#include <cmath>
#include <odemesh/sim/state_hash.hpp>
#include <odemesh/sim/world.hpp>
#include <utility>

namespace odemesh::sim {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(Clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

dReal real(double value) {
  return std::isinf(value) ? static_cast<dReal>(dInfinity) : static_cast<dReal>(value);
}

// One contact joint's parameters from the two surfaces that meet; friction is proportional to the normal
// force.
dSurfaceParameters surfaceBetween(const Surface& a, const Surface& b) {
  dSurfaceParameters out{};
  out.mode = dContactApprox1;
  out.mu = real(std::min(a.mu, b.mu));
  if (const double restitution = std::min(a.restitution, b.restitution); restitution > 0) {
    out.mode |= dContactBounce;
    out.bounce = real(restitution);
    out.bounce_vel = real(std::max(a.bounce_threshold, b.bounce_threshold));
  }
  if (a.erp || b.erp) {
    out.mode |= dContactSoftERP;
    out.soft_erp = real(std::min(a.erp.value_or(1), b.erp.value_or(1)));
  }
  if (a.cfm || b.cfm) {
    out.mode |= dContactSoftCFM;
    out.soft_cfm = real(std::max(a.cfm.value_or(0), b.cfm.value_or(0)));
  }
  return out;
}

// What ODE's solver can take: finite, with a unit normal.
bool isUsable(const dContactGeom& contact) {
  const Vec3 normal = fromOde(contact.normal);
  return isFinite(fromOde(contact.pos)) && std::isfinite(contact.depth) &&
         std::abs(lengthSq(normal) - 1) < 1e-3;
}

// The space hands infinite geoms on untested.
bool boxesOverlap(dGeomID geom1, dGeomID geom2) {
  dReal a[6], b[6];
  dGeomGetAABB(geom1, a);
  dGeomGetAABB(geom2, b);
  for (int axis = 0; axis < 6; axis += 2)
    if (a[axis] > b[axis + 1] || b[axis] > a[axis + 1]) return false;
  return true;
}

bool contains(const WorldSettings& settings, const Vec3& p) {
  for (int axis = 0; axis < 3; ++axis)
    if (p[axis] < settings.kill_min[axis] || p[axis] > settings.kill_max[axis]) return false;
  return true;
}

// Speed that the body's fastest point can have.
double outerSpeedSq(const Body& body) {
  const double spin = length(body.angularVelocity()) * body.boundingRadius();
  return lengthSq(body.linearVelocity()) + spin * spin;
}

void configure(dWorldID world, const WorldSettings& settings) {
  const Vec3& g = settings.gravity;
  dWorldSetGravity(world, real(g.x), real(g.y), real(g.z));
  dWorldSetERP(world, real(settings.erp));
  dWorldSetCFM(world, real(settings.cfm));
  dWorldSetQuickStepNumIterations(world, settings.iterations);
  dWorldSetContactSurfaceLayer(world, real(settings.surface_layer));
  dWorldSetContactMaxCorrectingVel(world, real(settings.max_correcting_speed));
  dWorldSetAutoDisableFlag(world, 0);
}

const WorldSettings& validated(const WorldSettings& settings) {
  validate(settings);
  return settings;
}

}  // namespace

World::World(const WorldSettings& settings)
    : settings_(validated(settings)),
      world_(dWorldCreate()),
      // Not a hash space: in ODE 0.16 that misses pairs of geoms 0.5 to 1 m across in the cells around the
      // origin.
      space_(dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ)),
      contact_joints_(dJointGroupCreate(0)),
      contact_buffer_(static_cast<std::size_t>(settings.max_contacts)) {
  dSpaceSetCleanup(space_.get(), 0);  // the bodies own their geoms
  configure(world_.get(), settings_);
}

World::~World() = default;

Body& World::addBody(const BodySpec& spec) {
  bodies_.push_back(
      std::make_unique<Body>(spec, bodies_.size(), world_.get(), space_.get(), settings_.surface));
  return *bodies_.back();
}

const StepMetrics& World::step() {
  if (failure_ || !checkBodies()) return metrics_;
  useCollider(settings_.collider);
  const Clock::time_point start = Clock::now();
  collide();
  const Clock::time_point collided = Clock::now();
  advance();
  metrics_.collision_ms = milliseconds(collided - start);
  metrics_.solver_ms = milliseconds(Clock::now() - collided);
  ++metrics_.step;
  metrics_.time = static_cast<double>(metrics_.step) * settings_.dt;
  measureBodies(metrics_);
  checkBodies();
  return metrics_;
}

void World::collide() {
  contacts_.clear();
  metrics_.pairs = metrics_.touching_pairs = metrics_.contacts = metrics_.rejected_contacts = 0;
  metrics_.greatest_depth = 0;
  dSpaceCollide(space_.get(), this, &World::onNear);
}

void World::onNear(void* world, dGeomID geom1, dGeomID geom2) {
  static_cast<World*>(world)->collidePair(geom1, geom2);
}

void World::collidePair(dGeomID geom1, dGeomID geom2) {
  dBodyID body1 = dGeomGetBody(geom1);
  dBodyID body2 = dGeomGetBody(geom2);
  if (body1 != nullptr && body2 != nullptr && dAreConnectedExcluding(body1, body2, dJointTypeContact) != 0)
    return;
  if (!boxesOverlap(geom1, geom2)) return;
  ++metrics_.pairs;
  const int count =
      dCollide(geom1, geom2, settings_.max_contacts, &contact_buffer_[0].geom, sizeof(dContact));
  if (count <= 0) return;
  ++metrics_.touching_pairs;
  const auto& tag1 = *static_cast<const GeomTag*>(dGeomGetData(geom1));
  const auto& tag2 = *static_cast<const GeomTag*>(dGeomGetData(geom2));
  const dSurfaceParameters surface =
      surfaceBetween(tag1.body->surface(tag1.part), tag2.body->surface(tag2.part));
  for (int i = 0; i < count; ++i) {
    contact_buffer_[i].surface = surface;
    addContact(contact_buffer_[i], *tag1.body, *tag2.body);
  }
}

void World::addContact(dContact& contact, const Body& body1, const Body& body2) {
  const dContactGeom& geom = contact.geom;
  if (!isUsable(geom)) {
    ++metrics_.rejected_contacts;
    return;
  }
  ++metrics_.contacts;
  const double depth = geom.depth;
  metrics_.greatest_depth = std::max(metrics_.greatest_depth, depth);
  contacts_.push_back(
      {fromOde(geom.pos), fromOde(geom.normal), depth, body1.index(), body2.index(), geom.side1, geom.side2});
  const dJointID joint = dJointCreateContact(world_.get(), contact_joints_.get(), &contact);
  dJointAttach(joint, body1.odeBody(), body2.odeBody());
}

// QuickStep shuffles its rows with ODE's global random numbers. Each world continues its own sequence, so
// that another world in the process does not change this one's result.
void World::advance() {
  const unsigned long others_seed = dRandGetSeed();
  dRandSetSeed(random_seed_);
  const bool done = dWorldQuickStep(world_.get(), real(settings_.dt)) != 0;
  random_seed_ = dRandGetSeed();
  dRandSetSeed(others_seed);
  dJointGroupEmpty(contact_joints_.get());
  if (!done)
    fail(Failure::Kind::kOutOfMemory, nullptr, "ODE ran out of memory; use fewer bodies or contacts");
}

StepMetrics World::metrics() const {
  StepMetrics out = metrics_;
  measureBodies(out);
  return out;
}

void World::measureBodies(StepMetrics& out) const {
  out.kinetic_energy = out.potential_energy = out.greatest_speed = 0;
  double speed_sq_sum = 0;
  std::size_t dynamic = 0;
  for (const auto& body : bodies_) {
    if (body->isStatic()) continue;
    ++dynamic;
    out.kinetic_energy += body->kineticEnergy();
    out.potential_energy -= body->inertial().mass * dot(settings_.gravity, body->centreOfMass());
    out.greatest_speed = std::max(out.greatest_speed, length(body->linearVelocity()));
    speed_sq_sum += outerSpeedSq(*body);
  }
  out.rms_speed = dynamic == 0 ? 0 : std::sqrt(speed_sq_sum / static_cast<double>(dynamic));
  out.hash = stateHash();
}

std::uint64_t World::stateHash() const {
  StateHash hash;
  for (const auto& body : bodies_) {
    hash.add(body->centreOfMass());
    hash.add(body->pose().rotation);
    hash.add(body->linearVelocity());
    hash.add(body->angularVelocity());
  }
  return hash.value();
}

bool World::checkBodies() {
  for (const auto& body : bodies_) {
    if (failure_) break;
    if (!body->isFinite()) {
      fail(Failure::Kind::kNotFinite, body.get(), "has a position, velocity or force that is not finite");
    } else if (!body->isStatic() && !contains(settings_, body->centreOfMass())) {
      fail(Failure::Kind::kEscaped, body.get(), "left the world's bounds");
    }
  }
  return !failure_;
}

void World::fail(Failure::Kind kind, const Body* body, const std::string& what) {
  const std::string when = " (step " + std::to_string(metrics_.step) + ")";
  if (body == nullptr) {
    failure_ = Failure{kind, std::nullopt, what + when};
  } else {
    failure_ = Failure{kind, body->index(), "body '" + body->name() + "' " + what + when};
  }
}

}  // namespace odemesh::sim
