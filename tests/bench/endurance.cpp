// A world that never comes to rest: meshes are dropped into a bin and taken out again, some of them broken,
// some inside others, some fast. Run as `endurance [STEPS [THREADS]]`; a million steps stand for seventy
// minutes of simulated time. Fails if a body gets faster than anything in the scene can make it, if memory
// grows, if ODE has something to say, or if the first steps, run again, do not give the same hash.
#include <odemesh/odemesh.h>

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <limits>
#include <odemesh/sim/collision_pass.hpp>
#include <odemesh/sim/mass_properties.hpp>
#include <odemesh/sim/random.hpp>
#include <odemesh/sim/shapes.hpp>
#include <odemesh/sim/state_hash.hpp>

namespace {

using namespace odemesh;

constexpr double kStep = 1.0 / 240;
constexpr std::size_t kMostBodies = 6;
constexpr long kStepsBetweenBodies = 40;
constexpr double kShotSpeed = 30;      ///< m/s, of the fast bodies
constexpr double kPushOutSpeed = 3;    ///< m/s, the fastest that overlaps are resolved
constexpr double kGreatestSpeed = 60;  ///< m/s; falls in the scene reach 10, shots 30, and a light body hit
                                       ///< by a heavy one at most twice that
constexpr long kRepeatedSteps = 1000;

unsigned long ode_messages = 0;

void countMessage(int, const char* text, va_list arguments) {
  if (++ode_messages <= 10) std::vfprintf(stderr, text, arguments);
}

/// A float copy of a mesh with ODE's data on it; new for each body, so that addresses come back.
class OwnMesh {
 public:
  explicit OwnMesh(const sim::TriangleMesh& mesh) : data_(dGeomTriMeshDataCreate()) {
    for (const Vec3& v : mesh.vertices)
      for (int axis = 0; axis < 3; ++axis) xyz_.push_back(static_cast<float>(v[axis]));
    for (const auto& t : mesh.triangles) indices_.insert(indices_.end(), t.begin(), t.end());
    build();
  }
  [[nodiscard]] dTriMeshDataID data() const { return data_.get(); }

  /// The same data with other content.
  void stretch(float factor) {
    for (float& c : xyz_) c *= factor;
    build();
  }

 private:
  void build() {
    dGeomTriMeshDataBuildSingle(data_.get(), xyz_.data(), 3 * sizeof(float), int(xyz_.size() / 3),
                                indices_.data(), int(indices_.size()), 3 * sizeof(dTriIndex));
  }

  std::vector<float> xyz_;
  std::vector<dTriIndex> indices_;
  sim::TriMeshDataHandle data_;
};

/// Breaks a mesh as files are broken. Some corner stays where it is, so that there is still something to hit.
void damage(sim::TriangleMesh& mesh, int kind) {
  auto& triangles = mesh.triangles;
  switch (kind % 6) {
    case 0:
      triangles.resize(triangles.size() * 2 / 3);
      break;  // open
    case 1:
      mesh.vertices[0].x = std::numeric_limits<double>::quiet_NaN();
      break;
    case 2:
      triangles.insert(triangles.end(), triangles.begin(), triangles.begin() + 3);
      break;  // doubled
    case 3:
      for (std::size_t i = 0; i < triangles.size(); i += 2) std::swap(triangles[i][0], triangles[i][1]);
      break;  // wound both ways
    case 4:
      for (auto& t : triangles) std::swap(t[0], t[1]);
      break;  // inside out
    default:
      mesh.vertices[1] = mesh.vertices[0];
      break;  // triangles without area
  }
}

[[nodiscard]] sim::TriangleMesh shapeOf(int kind, double size) {
  switch (kind % 5) {
    case 0:
      return sim::makeBox(Vec3{size, 0.8 * size, 0.6 * size});
    case 1:
      return sim::makeIcosphere(0.5 * size, 1);
    case 2:
      return sim::makeTorus(0.4 * size, 0.15 * size, 10, 6);
    case 3:
      return sim::makeCone(0.5 * size, size, 9);
    default:
      return sim::makeCylinder(0.3 * size, size, 8);
  }
}

/// One of the bodies that come and go.
struct Visitor {
  std::unique_ptr<OwnMesh> mesh;
  sim::BodyHandle body;
  sim::GeomHandle geom;
};

class Scene {
 public:
  explicit Scene(int threads) : pass_(threads) {
    dWorldSetGravity(world_.get(), 0, 0, -9.81);
    dWorldSetContactMaxCorrectingVel(world_.get(), kPushOutSpeed);
    dWorldSetContactSurfaceLayer(world_.get(), 1e-4);
    dSpaceSetCleanup(space_.get(), 0);
    dRandSetSeed(0);
    addWall({6, 6, 1}, {0, 0, -0.5});
    for (const double side : {-1.0, 1.0}) {
      addWall({1, 6, 4}, {2.5 * side, 0, 1.5});
      addWall({6, 1, 4}, {0, 2.5 * side, 1.5});
    }
  }

  void step() {
    if (step_ % kStepsBetweenBodies == 0) replaceOldest();
    if (step_ % 997 == 0 && !visitors_.empty()) visitors_.front().mesh->stretch(1.01F);
    collide();
    dWorldQuickStep(world_.get(), kStep);
    dJointGroupEmpty(joints_.get());
    watch();
    ++step_;
  }

  [[nodiscard]] std::uint64_t hash() const { return hash_.value(); }
  [[nodiscard]] double greatestSpeed() const { return greatest_speed_; }
  [[nodiscard]] double greatestEnergy() const { return greatest_energy_; }
  [[nodiscard]] unsigned long contacts() const { return contacts_; }
  [[nodiscard]] unsigned long escaped() const { return escaped_; }

 private:
  void addWall(const Vec3& size, const Vec3& place) {
    walls_.push_back({std::make_unique<OwnMesh>(sim::makeBox(size)), nullptr, nullptr});
    walls_.back().geom.reset(
        dCreateTriMesh(space_.get(), walls_.back().mesh->data(), nullptr, nullptr, nullptr));
    dGeomSetPosition(walls_.back().geom.get(), place.x, place.y, place.z);
  }

  void replaceOldest() {
    if (visitors_.size() == kMostBodies) visitors_.pop_front();
    const int kind = static_cast<int>(random_.uniform(0, 1000));
    const double size = kind % 17 == 0 ? 0.05 : kind % 13 == 0 ? 1.5 : random_.uniform(0.3, 0.8);
    sim::TriangleMesh shape = shapeOf(kind, size);
    const sim::MassProperties mass = sim::massProperties(shape, 1000);
    if (kind % 4 == 0) damage(shape, kind / 4);
    visitors_.push_back(
        {std::make_unique<OwnMesh>(shape), sim::BodyHandle(dBodyCreate(world_.get())), nullptr});
    place(visitors_.back(), kind);
    setMass(visitors_.back().body.get(), mass);
  }

  void place(Visitor& visitor, int kind) {
    const dBodyID body = visitor.body.get();
    visitor.geom.reset(dCreateTriMesh(space_.get(), visitor.mesh->data(), nullptr, nullptr, nullptr));
    dGeomSetBody(visitor.geom.get(), body);
    dMatrix3 rotation;
    sim::rotationToOde(random_.rotation(), rotation);
    dBodySetRotation(body, rotation);
    if (kind % 7 == 0 && visitors_.size() > 1) {  // inside another one
      const dReal* there = dBodyGetPosition(visitors_[visitors_.size() - 2].body.get());
      dBodySetPosition(body, there[0], there[1], there[2]);
      return;
    }
    dBodySetPosition(body, random_.uniform(-1, 1), random_.uniform(-1, 1), random_.uniform(1, 3));
    if (kind % 5 == 0) {  // a shot, downwards, since the bin has no lid
      const double across = random_.uniform(-0.5, 0.5) * kShotSpeed;
      dBodySetLinearVel(body, across, 0, -0.8 * kShotSpeed);
      dBodySetAngularVel(body, random_.uniform(-10, 10), random_.uniform(-10, 10), random_.uniform(-10, 10));
    }
  }

  static void setMass(dBodyID body, const sim::MassProperties& from) {
    const Mat3& i = from.inertia;
    dMass mass;
    dMassSetParameters(&mass, from.mass, 0, 0, 0, i.row[0].x, i.row[1].y, i.row[2].z, i.row[0].y, i.row[0].z,
                       i.row[1].z);
    dBodySetMass(body, &mass);
  }

  void collide() {
    pass_.clear();
    dSpaceCollide(space_.get(), this, [](void* scene, dGeomID geom1, dGeomID geom2) {
      const bool both_fixed = dGeomGetBody(geom1) == nullptr && dGeomGetBody(geom2) == nullptr;
      if (!both_fixed) static_cast<Scene*>(scene)->pass_.add(geom1, geom2);
    });
    pass_.run(24, sim::CollisionPass::dCollideContacts,
              [this](dGeomID geom1, dGeomID geom2, std::span<dContact> contacts) {
                for (dContact& contact : contacts)
                  addJoint(contact, dGeomGetBody(geom1), dGeomGetBody(geom2));
              });
  }

  void addJoint(dContact& contact, dBodyID body1, dBodyID body2) {
    contact.surface = {};
    contact.surface.mode = dContactApprox1;
    contact.surface.mu = 0.5;
    dJointAttach(dJointCreateContact(world_.get(), joints_.get(), &contact), body1, body2);
    ++contacts_;
  }

  /// Speeds, energy and the hash; bodies that have left the bin are taken out.
  void watch() {
    double energy = 0;
    for (const Visitor& visitor : visitors_) {
      const dBodyID body = visitor.body.get();
      const Vec3 position = sim::fromOde(dBodyGetPosition(body));
      const Vec3 velocity = sim::fromOde(dBodyGetLinearVel(body));
      hash_.add(position);
      hash_.add(velocity);
      hash_.add(sim::fromOde(dBodyGetAngularVel(body)));
      // Written so that a NaN ends the run as too fast.
      greatest_speed_ = length(velocity) <= greatest_speed_ ? greatest_speed_ : length(velocity);
      dMass mass;
      dBodyGetMass(body, &mass);
      energy += mass.mass * (0.5 * lengthSq(velocity) + 9.81 * std::max(position.z, 0.0));
    }
    greatest_energy_ = std::max(greatest_energy_, energy);
    escaped_ += std::erase_if(visitors_, [](const Visitor& visitor) {
      const Vec3 p = sim::fromOde(dBodyGetPosition(visitor.body.get()));
      return std::abs(p.x) > 20 || std::abs(p.y) > 20 || p.z < -5;
    });
  }

  sim::OdeLibrary library_;
  sim::WorldHandle world_{dWorldCreate()};
  sim::SpaceHandle space_{dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ)};
  sim::JointGroupHandle joints_{dJointGroupCreate(0)};
  sim::CollisionPass pass_;
  sim::Random random_{1};
  std::vector<Visitor> walls_;
  std::deque<Visitor> visitors_;
  long step_ = 0;
  sim::StateHash hash_;
  double greatest_speed_ = 0;
  double greatest_energy_ = 0;
  unsigned long contacts_ = 0;
  unsigned long escaped_ = 0;
};

/// 0 under AddressSanitizer and ThreadSanitizer, whose own memory grows.
[[nodiscard]] std::size_t residentKilobytes() {
  std::size_t total = 0, resident = 0;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return 0;
#endif
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%zu %zu", &total, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return resident * 4;
}

void printCounters() {
  odemeshCounters c{};
  c.size = sizeof c;
  odemeshGetCounters(&c);
  std::printf(
      "pairs %llu, contained %llu, contacts dropped %llu, meshes built %llu (%llu without inside), triangles "
      "left out %llu, data changes %llu, unsound contacts %llu, errors %llu\n",
      c.pairs, c.contained_pairs, c.contacts_dropped, c.meshes_built, c.meshes_without_inside,
      c.bad_triangles, c.data_changes, c.unsound_contacts, c.errors);
}

/// Hash after so many steps of a scene of its own.
[[nodiscard]] std::uint64_t hashAfter(long steps, int threads) {
  Scene scene(threads);
  for (long i = 0; i < steps; ++i) scene.step();
  return scene.hash();
}

int report(bool holds, const char* what) {
  if (!holds) std::printf("FAILED: %s\n", what);
  return holds ? 0 : 1;
}

int run(long steps, int threads) {
  const long repeated = std::min(steps, kRepeatedSteps);
  const std::uint64_t expected = hashAfter(repeated, 1);
  Scene scene(threads);
  bool repeats = true;
  std::size_t early = 0;
  for (long step = 1; step <= steps; ++step) {
    scene.step();
    if (step == repeated) repeats = scene.hash() == expected;
    if (step == steps / 10) early = residentKilobytes();
    if (step % std::max(steps / 10, 1L) == 0) {
      std::printf("step %ld: hash %016llx, %lu contacts, %.3g m/s and %.4g J at most, %zu kB\n", step,
                  static_cast<unsigned long long>(scene.hash()), scene.contacts(), scene.greatestSpeed(),
                  scene.greatestEnergy(), residentKilobytes());
      std::fflush(stdout);
    }
    if (!(scene.greatestSpeed() <= kGreatestSpeed)) break;
  }
  printCounters();
  std::printf("%lu bodies left the bin, %lu messages of ODE\n", scene.escaped(), ode_messages);
  return report(repeats, "the same steps give the same hash") +
         report(scene.greatestSpeed() <= kGreatestSpeed, "no body is faster than the scene can make it") +
         report(ode_messages == 0, "ODE has nothing to say") +
         report(residentKilobytes() <= early + 2048, "memory stays as it was after a tenth of the steps");
}

}  // namespace

int main(int argc, char** argv) {
  const long steps = argc > 1 ? std::atol(argv[1]) : 2000;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 1;
  const sim::OdeLibrary library;
  dSetMessageHandler(countMessage);
  if (odemeshInstall() != ODEMESH_OK) {
    std::printf("%s\n", odemeshLastError());
    return 1;
  }
  return run(steps, threads) > 0 ? 1 : 0;
}
