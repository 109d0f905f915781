#include <odemesh/odemesh.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/state_hash.hpp>
#include <odemesh/sim/world.hpp>
#include <utility>

namespace odemesh::sim {
namespace {

// The exact solver keeps a dense matrix of three rows a contact. For so many that hang together it takes some
// minutes a step.
constexpr std::size_t kMostExactContacts = 2000;

using Clock = std::chrono::steady_clock;

double milliseconds(Clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

dReal real(double value) {
  return std::isinf(value) ? static_cast<dReal>(dInfinity) : static_cast<dReal>(value);
}

// ERP and CFM: of springs where there are any, else the softer ones.
void setSoftness(const Surface& a, const Surface& b, double dt, dSurfaceParameters& out) {
  if (a.spring || b.spring) {
    const auto compliance = [](const Surface& s) { return s.spring ? 1 / s.spring->stiffness : 0; };
    const auto damping = [](const Surface& s) { return s.spring ? s.spring->damping : 0; };
    const double impulse = dt / (compliance(a) + compliance(b));
    const double sum = impulse + damping(a) + damping(b);
    out.mode |= dContactSoftERP | dContactSoftCFM;
    out.soft_erp = real(impulse / sum);
    out.soft_cfm = real(1 / sum);
    return;
  }
  if (a.erp || b.erp) {
    out.mode |= dContactSoftERP;
    out.soft_erp = real(std::min(a.erp.value_or(1), b.erp.value_or(1)));
  }
  if (a.cfm || b.cfm) {
    out.mode |= dContactSoftCFM;
    out.soft_cfm = real(std::max(a.cfm.value_or(0), b.cfm.value_or(0)));
  }
}

// Friction is proportional to the normal force.
void setFriction(const Surface& a, const Surface& b, dSurfaceParameters& out) {
  out.mu = real(std::min(a.mu, b.mu));
  if (a.mu2 || b.mu2) {
    out.mode |= dContactMu2;
    out.mu2 = real(std::min(a.mu2.value_or(a.mu), b.mu2.value_or(b.mu)));
  }
  if (std::min(a.slip1, b.slip1) > 0) {
    out.mode |= dContactSlip1;
    out.slip1 = real(std::min(a.slip1, b.slip1));
  }
  if (std::min(a.slip2, b.slip2) > 0) {
    out.mode |= dContactSlip2;
    out.slip2 = real(std::min(a.slip2, b.slip2));
  }
}

// One contact joint's parameters from the two surfaces that meet.
dSurfaceParameters surfaceBetween(const Surface& a, const Surface& b, double dt) {
  dSurfaceParameters out{};
  out.mode = dContactApprox1;
  setFriction(a, b, out);
  setSoftness(a, b, dt, out);
  if (const double restitution = std::min(a.restitution, b.restitution); restitution > 0) {
    out.mode |= dContactBounce;
    out.bounce = real(restitution);
    // Gazebo, whose surfaces are springs, takes the smaller one.
    const bool springs = a.spring && b.spring;
    const auto [lower, upper] = std::minmax(a.bounce_threshold, b.bounce_threshold);
    out.bounce_vel = real(springs ? lower : upper);
  }
  return out;
}

// The direction that `mu` holds along, in the world: that of the slipperier surface, if it has one.
void setFrictionDirection(const GeomTag& tag1, const GeomTag& tag2, dContact& contact) {
  const GeomTag* tags[2] = {&tag1, &tag2};
  if (tag2.body->surface(tag2.part).mu < tag1.body->surface(tag1.part).mu) std::swap(tags[0], tags[1]);
  for (const GeomTag* tag : tags) {
    const Vec3& local = tag->body->surface(tag->part).friction_direction;
    if (local == Vec3{}) continue;
    // Along the surface; not at all where it is the normal itself.
    const Vec3 normal = fromOde(contact.geom.normal);
    Vec3 direction = tag->body->partPose(tag->part).rotate(normalised(local));
    direction -= normal * dot(normal, direction);
    if (length(direction) < 1e-6) return;
    direction = normalised(direction);
    for (int i = 0; i < 3; ++i) contact.fdir1[i] = real(direction[i]);
    contact.surface.mode |= dContactFDir1;
    return;
  }
}

// ODE knows one surface layer and one greatest correcting speed, both of the world. Those of a surface are
// put into the depth, from which ODE computes nothing else: speed = ERP (depth - layer) / dt.
void limitCorrection(const Surface& a, const Surface& b, const WorldSettings& settings, dContact& contact) {
  double depth = contact.geom.depth;
  if (a.surface_layer || b.surface_layer) {
    const double none = std::numeric_limits<double>::infinity();
    depth +=
        settings.surface_layer - std::min(a.surface_layer.value_or(none), b.surface_layer.value_or(none));
  }
  const double speed = std::min(a.max_correcting_speed, b.max_correcting_speed);
  const bool soft = (contact.surface.mode & dContactSoftERP) != 0;
  const double erp = soft ? static_cast<double>(contact.surface.soft_erp) : settings.erp;
  if (erp > 0 && std::isfinite(speed))
    depth = std::min(depth, settings.surface_layer + speed * settings.dt / erp);
  contact.geom.depth = real(std::max(depth, 0.0));
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
  dWorldSetQuickStepW(world, real(settings.relaxation));
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
      pass_(settings.threads) {
  dSpaceSetCleanup(space_.get(), 0);  // the bodies own their geoms
  configure(world_.get(), settings_);
}

World::~World() = default;

Body& World::addBody(const BodySpec& spec) {
  bodies_.push_back(
      std::make_unique<Body>(spec, bodies_.size(), world_.get(), space_.get(), settings_.surface));
  return *bodies_.back();
}

Joint& World::addJoint(const JointSpec& spec) {
  const auto bodyAt = [&](const std::optional<std::size_t>& index) -> const Body* {
    if (!index) return nullptr;
    if (*index < bodies_.size()) return bodies_[*index].get();
    throw InputError("joint '" + spec.name + "': there is no body " + std::to_string(*index) +
                     "; add the bodies first");
  };
  joints_.push_back(std::make_unique<Joint>(spec, world_.get(), bodyAt(spec.child), bodyAt(spec.parent)));
  return *joints_.back();
}

void World::setThreads(int threads) {
  WorldSettings wanted = settings_;
  wanted.threads = threads;
  settings_ = validated(wanted);
  pass_.setThreads(threads);
}

const StepMetrics& World::step() {
  if (failure_ || !checkBodies()) return metrics_;
  useCollider(settings_.collider);
  prepareMeshes();
  const Clock::time_point start = Clock::now();
  if (!collide()) return metrics_;
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

// Those of bodies that are new, before they collide for the first time: as ODE builds its own trees, outside
// of what a step takes. What is wrong with a mesh its collisions tell.
void World::prepareMeshes() {
  if (settings_.collider != Collider::kOdemesh) return;
  for (; prepared_bodies_ < bodies_.size(); ++prepared_bodies_)
    for (const Part& part : bodies_[prepared_bodies_]->parts())
      if (const auto* const mesh = std::get_if<MeshGeometry>(&part.geometry))
        odemeshPrepare(mesh->mesh->odeData());
}

// False where memory does not suffice.
bool World::collide() {
  contacts_.clear();
  ode_contacts_.clear();
  struck_contacts_.clear();
  metrics_.pairs = metrics_.touching_pairs = metrics_.contacts = metrics_.rejected_contacts = 0;
  metrics_.greatest_depth = 0;
  pass_.clear();
  if (listPairs() != ODEMESH_OK) return failForMemory();
  pass_.run(
      settings_.max_contacts,
      [this](dGeomID geom1, dGeomID geom2, std::span<dContact> out) {
        return findContacts(geom1, geom2, out);
      },
      [this](dGeomID geom1, dGeomID geom2, std::span<dContact> contacts) {
        ++metrics_.touching_pairs;
        addContacts(geom1, geom2, contacts);
        if (isSpeculative()) ode_contacts_.insert(ode_contacts_.end(), contacts.begin(), contacts.end());
      });
  return collideStruck() == ODEMESH_OK || failForMemory();
}

bool World::failForMemory() {
  fail(Failure::Kind::kOutOfMemory, nullptr, odemeshLastError());
  return false;
}

// Returns ODEMESH_OK or an error.
int World::listPairs() {
  if (!isSpeculative()) {
    dSpaceCollide(space_.get(), this, &World::onNear);
    return ODEMESH_OK;
  }
  int apart = 0;
  const int code = odemeshSpaceCollide(space_.get(), real(settings_.dt), this, &World::onNear, &apart);
  metrics_.pairs += static_cast<std::size_t>(apart);
  return code;
}

// What is struck meets others within the same step. Returns ODEMESH_OK or an error.
int World::collideStruck() {
  if (!isSpeculative()) return ODEMESH_OK;
  struck_room_.resize(static_cast<std::size_t>(settings_.max_contacts));
  return odemeshSpaceCollideStruck(space_.get(), real(settings_.dt), ode_contacts_.data(),
                                   static_cast<int>(ode_contacts_.size()), sizeof(dContact), this,
                                   &World::onStruck);
}

void World::onStruck(void* world, dGeomID geom1, dGeomID geom2) {
  auto& self = *static_cast<World*>(world);
  if (!self.mayCollide(geom1, geom2)) return;
  const int count = self.findContacts(geom1, geom2, self.struck_room_);
  if (count == 0) return;
  if (!self.haveContacts(geom1, geom2)) ++self.metrics_.touching_pairs;
  const auto found = std::span(self.struck_room_).first(std::size_t(count));
  self.struck_contacts_.insert(self.struck_contacts_.end(), found.begin(), found.end());
  self.addContacts(geom1, geom2, found);
}

// In this step so far, where what is struck is looked at.
bool World::haveContacts(dGeomID geom1, dGeomID geom2) const {
  const auto are_of_pair = [=](const dContact& c) {
    return (c.geom.g1 == geom1 && c.geom.g2 == geom2) || (c.geom.g1 == geom2 && c.geom.g2 == geom1);
  };
  return std::ranges::any_of(ode_contacts_, are_of_pair) ||
         std::ranges::any_of(struck_contacts_, are_of_pair);
}

bool World::isSpeculative() const {
  return settings_.speculative && settings_.collider == Collider::kOdemesh;
}

void World::onNear(void* world, dGeomID geom1, dGeomID geom2) {
  static_cast<World*>(world)->addPair(geom1, geom2);
}

// Lists a pair for the collision pass, if its bodies may touch.
void World::addPair(dGeomID geom1, dGeomID geom2) {
  if (!mayCollide(geom1, geom2)) return;
  const bool overlap = boxesOverlap(geom1, geom2);
  if (!overlap && !isSpeculative()) return;
  metrics_.pairs += overlap ? 1 : 0;
  pass_.add(geom1, geom2);
}

bool World::mayCollide(dGeomID geom1, dGeomID geom2) const {
  dBodyID body1 = dGeomGetBody(geom1);
  dBodyID body2 = dGeomGetBody(geom2);
  if (body1 != nullptr && body2 != nullptr && dAreConnectedExcluding(body1, body2, dJointTypeContact) != 0)
    return false;
  const auto& tag1 = *static_cast<const GeomTag*>(dGeomGetData(geom1));
  const auto& tag2 = *static_cast<const GeomTag*>(dGeomGetData(geom2));
  const Surface& surface1 = tag1.body->surface(tag1.part);
  const Surface& surface2 = tag2.body->surface(tag2.part);
  if ((surface1.collide_bits & surface2.collide_bits) == 0) return false;
  return tag1.body->group() == 0 || tag1.body->group() != tag2.body->group();
}

// On any thread: changes nothing of the world.
int World::findContacts(dGeomID geom1, dGeomID geom2, std::span<dContact> out) const {
  const auto& tag1 = *static_cast<const GeomTag*>(dGeomGetData(geom1));
  const auto& tag2 = *static_cast<const GeomTag*>(dGeomGetData(geom2));
  const dSurfaceParameters surface =
      surfaceBetween(tag1.body->surface(tag1.part), tag2.body->surface(tag2.part), settings_.dt);
  if (isSpeculative())
    return odemeshCollideSpeculative(geom1, geom2, real(settings_.dt), static_cast<int>(out.size()), &surface,
                                     out.data(), sizeof(dContact));
  const int count = CollisionPass::dCollideContacts(geom1, geom2, out);
  for (int i = 0; i < count; ++i) out[i].surface = surface;
  return count;
}

void World::addContacts(dGeomID geom1, dGeomID geom2, std::span<dContact> contacts) {
  const auto& tag1 = *static_cast<const GeomTag*>(dGeomGetData(geom1));
  const auto& tag2 = *static_cast<const GeomTag*>(dGeomGetData(geom2));
  for (dContact& contact : contacts) addContact(contact, tag1, tag2);
}

void World::addContact(dContact& contact, const GeomTag& tag1, const GeomTag& tag2) {
  const Body& body1 = *tag1.body;
  const Body& body2 = *tag2.body;
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
  setFrictionDirection(tag1, tag2, contact);
  if (depth > 0)  // and not only met within the step
    limitCorrection(body1.surface(tag1.part), body2.surface(tag2.part), settings_, contact);
  const dJointID joint = dJointCreateContact(world_.get(), contact_joints_.get(), &contact);
  dJointAttach(joint, body1.odeBody(), body2.odeBody());
}

// False where memory does not suffice.
bool World::solve() {
  const dReal dt = real(settings_.dt);
  if (settings_.solver == Solver::kQuick) return dWorldQuickStep(world_.get(), dt) != 0;
  return metrics_.contacts <= kMostExactContacts && dWorldStep(world_.get(), dt) != 0;
}

// QuickStep shuffles its rows with ODE's global random numbers. Each world continues its own sequence, so
// that another world in the process does not change this one's result.
void World::advance() {
  for (const auto& joint : joints_) joint->prepareStep(settings_.dt);
  const unsigned long others_seed = dRandGetSeed();
  dRandSetSeed(random_seed_);
  const bool done = solve();
  random_seed_ = dRandGetSeed();
  dRandSetSeed(others_seed);
  dJointGroupEmpty(contact_joints_.get());
  if (!done)
    fail(Failure::Kind::kOutOfMemory, nullptr,
         settings_.solver == Solver::kQuick
             ? "ODE ran out of memory; use fewer bodies or contacts"
             : "there are too many contacts for the exact solver (" + std::to_string(metrics_.contacts) +
                   "); use the quick one, or fewer bodies or contacts");
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
    if (dBodyGetGravityMode(body->odeBody()) != 0)
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
