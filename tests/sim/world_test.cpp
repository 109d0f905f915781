#include <gtest/gtest.h>
#include <malloc.h>
#include <odemesh/odemesh.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/shapes.hpp>
#include <odemesh/sim/world.hpp>
#include <set>
#include <utility>
#include <vector>

#include "ode_tolerance.hpp"

namespace odemesh::sim {
namespace {

using test::odeTolerance;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

WorldSettings withOde() {
  WorldSettings settings;
  settings.collider = Collider::kOde;
  return settings;
}

BodySpec single(const std::string& name, Geometry geometry, const Vec3& position = {}) {
  BodySpec spec;
  spec.name = name;
  spec.parts.push_back({std::move(geometry)});
  spec.pose.translation = position;
  return spec;
}

BodySpec fixed(BodySpec spec) {
  spec.is_static = true;
  return spec;
}

MeshGeometry boxMesh(const Vec3& size) {
  return {CollisionMesh::make(makeBox(size))};
}

unsigned long long meshesBuilt() {
  odemeshCounters counters{};
  counters.size = sizeof counters;
  EXPECT_EQ(odemeshGetCounters(&counters), ODEMESH_OK);
  return counters.meshes_built;
}

void run(World& world, int steps) {
  for (int i = 0; i < steps; ++i) world.step();
}

// The message of the InputError that `act` throws, or "" if it throws none.
std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(World, FreeFallFollowsTheClosedFormOfSemiImplicitEuler) {
  World world(withOde());
  Body& body = world.addBody(single("ball", SphereGeometry{0.5}, {1, 2, 100}));
  constexpr int kSteps = 240;
  run(world, kSteps);
  const double dt = world.settings().dt;
  const double g = world.settings().gravity.z;
  EXPECT_NEAR(body.linearVelocity().z, g * kSteps * dt, odeTolerance(1e-10, 240 * 10));
  EXPECT_NEAR(body.centreOfMass().z, 100 + g * dt * dt * kSteps * (kSteps + 1) / 2,
              odeTolerance(1e-9, 240 * 100));
  EXPECT_EQ(body.centreOfMass().x, 1);
  EXPECT_EQ(world.metrics().step, 240U);
  EXPECT_NEAR(world.metrics().time, 1, 1e-12);
}

TEST(World, EnergyOfAnUndisturbedBodyIsKept) {
  WorldSettings settings = withOde();
  settings.gravity = {};
  World world(settings);
  BodySpec spec = single("brick", BoxGeometry{{1, 2, 3}});
  spec.linear_velocity = {1, -2, 0.5};
  spec.angular_velocity = {0, 0, 2};  // about a principal axis
  const Body& body = world.addBody(spec);
  const double before = world.metrics().kinetic_energy;
  const double mass = 6000;
  EXPECT_NEAR(before, mass / 2 * 5.25 + mass / 12 * (1 + 4) / 2 * 4, 1e-6);
  run(world, 480);
  EXPECT_NEAR(world.metrics().kinetic_energy, before, odeTolerance(1e-9, 480) * before);
  EXPECT_NEAR(body.kineticEnergy(), before, odeTolerance(1e-9, 480) * before);
}

TEST(World, PotentialEnergyIsZeroAtTheOriginAndGrowsWithHeight) {
  World world(withOde());
  BodySpec spec = single("ball", SphereGeometry{1}, {0, 0, 3});
  spec.mass = 2;
  world.addBody(spec);
  EXPECT_NEAR(world.metrics().potential_energy, 2 * 9.81 * 3, 1e-9);
}

TEST(World, MeshBodyHasItsOriginInTheCentreOfMass) {
  TriangleMesh mesh = makeBox({1, 2, 3});
  for (Vec3& v : mesh.vertices) v += Vec3{10, 20, 30};
  World world(withOde());
  const Body& body = world.addBody(single("far box", MeshGeometry{CollisionMesh::make(mesh)}, {-10, 0, 0}));
  EXPECT_NEAR(length(body.inertial().centre - Vec3{10, 20, 30}), 0, 1e-9);
  EXPECT_NEAR(length(body.centreOfMass() - Vec3{0, 20, 30}), 0, 1e-9);
  EXPECT_NEAR(length(body.pose().translation - Vec3{-10, 0, 0}), 0, 1e-9);
  EXPECT_NEAR(body.inertial().mass, 6000, 1e-6);
  EXPECT_NEAR(body.inertial().inertia.row[0].x, 6000.0 / 12 * (4 + 9), 1e-5);
  EXPECT_NEAR(body.boundingRadius(), std::sqrt(14) / 2, 1e-9);
  EXPECT_NEAR(body.support({0, 0, -1}), -28.5, 1e-9);
}

TEST(World, CompoundBodyFollowsTheParallelAxisTheorem) {
  BodySpec spec;
  spec.name = "dumbbell";
  spec.density = 1000;
  for (const double x : {-1.0, 3.0}) spec.parts.push_back({BoxGeometry{{1, 1, 1}}, {{}, {x, 0, 0}}});
  World world(withOde());
  const Body& body = world.addBody(spec);
  EXPECT_NEAR(body.inertial().mass, 2000, 1e-9);
  EXPECT_NEAR(body.inertial().centre.x, 1, 1e-12);
  EXPECT_NEAR(body.inertial().inertia.row[0].x, 2000.0 / 6, 1e-9);
  EXPECT_NEAR(body.inertial().inertia.row[1].y, 2000.0 / 6 + 2000 * 4, 1e-9);
  EXPECT_NEAR(length(body.pose().translation), 0, 1e-12);
}

TEST(World, CapsuleInertiaMatchesItsMesh) {
  const auto mesh = CollisionMesh::make(makeCapsule(0.5, 2, 200, 100));
  const Inertial expected = solidInertial(MeshGeometry{mesh}, 1000);
  const Inertial actual = solidInertial(CapsuleGeometry{0.5, 2}, 1000);
  EXPECT_NEAR(actual.mass / expected.mass, 1, 1e-3);
  EXPECT_NEAR(actual.inertia.row[0].x / expected.inertia.row[0].x, 1, 1e-3);
  EXPECT_NEAR(actual.inertia.row[2].z / expected.inertia.row[2].z, 1, 1e-3);
}

TEST(World, PreprocessesItsMeshesBeforeTheyMeet) {
  World world(WorldSettings{});
  const MeshGeometry mesh = boxMesh({1, 1, 1});
  world.addBody(fixed(single("a", mesh)));
  world.addBody(fixed(single("b", mesh, {5, 0, 0})));
  world.step();
  odemeshResetCounters();
  world.addBody(fixed(single("c", boxMesh({2, 1, 1}), {0, 5, 0})));
  world.setCollider(Collider::kOde);
  world.step();
  EXPECT_EQ(meshesBuilt(), 0u) << "not for ODE's own collider";
  world.setCollider(Collider::kOdemesh);
  run(world, 2);
  EXPECT_EQ(meshesBuilt(), 1u);
}

TEST(World, TwoStaticsAreNeverTested) {
  World world(withOde());
  world.addBody(fixed(single("a", boxMesh({1, 1, 1}))));
  world.addBody(fixed(single("b", boxMesh({1, 1, 1}), {0.5, 0, 0})));
  world.addBody(fixed(single("floor", PlaneGeometry{})));
  world.step();
  EXPECT_EQ(world.metrics().pairs, 0U);
  world.addBody(single("ball", SphereGeometry{0.2}, {0.3, 0, 0.6}));
  world.step();
  EXPECT_EQ(world.metrics().pairs, 2U);
}

// ODE's hash space computes the index of a cell below zero at x = y = 0 as a wrapped unsigned number.
TEST(World, GeomsThatOverlapAroundTheOriginAreTested) {
  World world(withOde());
  world.addBody(single("lower", BoxGeometry{{0.6, 0.6, 0.6}}, {0.4, 0.4, 0.2}));
  world.addBody(single("upper", BoxGeometry{{0.6, 0.6, 0.6}}, {0.4, 0.4, 0.5}));
  world.step();
  EXPECT_EQ(world.metrics().pairs, 1U);
}

TEST(World, TwoGeomsOfOneBodyAreNeverTested) {
  BodySpec spec;
  spec.name = "overlapping";
  spec.parts.push_back({boxMesh({1, 1, 1})});
  spec.parts.push_back({boxMesh({1, 1, 1}), {{}, {0.5, 0, 0}}});
  World world(withOde());
  world.addBody(spec);
  run(world, 3);
  EXPECT_EQ(world.metrics().pairs, 0U);
  EXPECT_EQ(world.metrics().contacts, 0U);
}

TEST(World, TwoPrimitiveBoxesRestStackedOnAPlane) {
  World world(withOde());
  world.addBody(fixed(single("ground", PlaneGeometry{})));
  const Body& lower = world.addBody(single("lower", BoxGeometry{{1, 1, 1}}, {0, 0, 0.5}));
  const Body& upper = world.addBody(single("upper", BoxGeometry{{1, 1, 1}}, {0, 0, 1.5}));
  run(world, 240 * 5);
  EXPECT_FALSE(world.failure());
  EXPECT_LT(world.metrics().rms_speed, 1e-4);
  EXPECT_NEAR(length(lower.centreOfMass() - Vec3{0, 0, 0.5}), 0, 5e-3);
  EXPECT_NEAR(length(upper.centreOfMass() - Vec3{0, 0, 1.5}), 0, 5e-3);
  EXPECT_EQ(world.metrics().touching_pairs, 2U);
  EXPECT_GE(world.metrics().contacts, 8U);
}

/// One mesh: a table whose surface is at z = 0, with a cushion across it at x = 0.5.
TriangleMesh tableWithCushion() {
  TriangleMesh out = makeBox({2, 2, 0.1});
  const TriangleMesh cushion = makeBox({0.1, 2, 0.2});
  for (Vec3& v : out.vertices) v.z -= 0.05;
  const auto first = std::uint32_t(out.vertices.size());
  for (const Vec3& v : cushion.vertices) out.vertices.push_back(v + Vec3{0.55, 0, 0.1});
  for (const auto& [a, b, c] : cushion.triangles) out.triangles.push_back({first + a, first + b, first + c});
  return out;
}

// The one that is struck lies on the table and reaches its cushion in the same step.
TEST(World, CountsEachTouchingPairOnce) {
  WorldSettings settings;
  settings.dt = 1.0 / 60;
  World world(settings);
  world.addBody(fixed(single("table", MeshGeometry{CollisionMesh::make(tableWithCushion())})));
  const MeshGeometry ball{CollisionMesh::make(makeIcosphere(0.0285))};
  BodySpec cue = single("cue", ball, {0.1, 0, 0.0284});
  cue.linear_velocity = {20, 0, 0};
  world.addBody(cue);
  world.addBody(single("ball", ball, {0.4, 0, 0.0284}));
  world.step();
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  for (const ContactRecord& c : world.contacts())
    pairs.emplace(std::min(c.body1, c.body2), std::max(c.body1, c.body2));
  EXPECT_EQ(pairs.size(), 3U);
  EXPECT_EQ(world.metrics().touching_pairs, 3U);
}

TEST(World, ContactsNameTheirBodiesAndPointIntoTheFirst) {
  World world(withOde());
  world.addBody(fixed(single("ground", PlaneGeometry{})));
  world.addBody(single("ball", SphereGeometry{0.5}, {2, 3, 0.45}));
  world.step();
  ASSERT_EQ(world.contacts().size(), 1U);
  const ContactRecord& contact = world.contacts().front();
  EXPECT_EQ(contact.body1 + contact.body2, 1U);
  EXPECT_NEAR(contact.normal.z, contact.body1 == 1 ? 1 : -1, odeTolerance(1e-12));
  EXPECT_NEAR(contact.depth, 0.05, odeTolerance(1e-12));
  EXPECT_NEAR(world.metrics().greatest_depth, 0.05, odeTolerance(1e-12));
  EXPECT_NEAR(contact.position.x, 2, odeTolerance(1e-12));
}

TEST(World, TiltedAndMovedPlaneIsSolidBelowItsNormal) {
  World world(withOde());
  BodySpec spec = fixed(single("wall", PlaneGeometry{{0, 0, 2}, 2}));  // z = 1 in its own frame
  spec.pose.rotation = Mat3{{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}};       // z becomes x
  spec.pose.translation = {4, 0, 0};
  world.addBody(spec);
  world.addBody(single("ball", SphereGeometry{0.5}, {5.4, 0, 0}));
  world.step();
  ASSERT_EQ(world.contacts().size(), 1U);
  EXPECT_NEAR(world.contacts()[0].depth, 0.1, odeTolerance(1e-9, 16));
  EXPECT_NEAR(std::abs(world.contacts()[0].normal.x), 1, odeTolerance(1e-9));
}

// Sliding on a slope that friction can't hold: a = g (sin - mu cos), closed form.
TEST(World, FrictionIsThatOfTheSmallerSurface) {
  WorldSettings settings = withOde();
  const double angle = 0.5;
  settings.gravity = {9.81 * std::sin(angle), 0, -9.81 * std::cos(angle)};
  settings.surface.mu = 1;
  World world(settings);
  world.addBody(fixed(single("slope", PlaneGeometry{})));
  BodySpec spec = single("box", BoxGeometry{{1, 1, 0.2}}, {0, 0, 0.1});
  spec.parts[0].surface = Surface{.mu = 0.3};
  const Body& box = world.addBody(spec);
  run(world, 240);
  EXPECT_NEAR(box.linearVelocity().x, 9.81 * (std::sin(angle) - 0.3 * std::cos(angle)), 0.02);
}

TEST(World, RestitutionReturnsItsShareOfTheSpeed) {
  WorldSettings settings = withOde();
  settings.surface.restitution = 0.5;
  World world(settings);
  world.addBody(fixed(single("ground", PlaneGeometry{})));
  const Body& ball = world.addBody(single("ball", SphereGeometry{0.5}, {0, 0, 1.5}));
  double fastest_down = 0;
  for (int i = 0; i < 240 && ball.linearVelocity().z <= 0; ++i) {
    fastest_down = std::min(fastest_down, ball.linearVelocity().z);
    world.step();
  }
  EXPECT_NEAR(ball.linearVelocity().z, -0.5 * fastest_down, 0.1);
}

std::vector<std::uint64_t> hashesOfATumblingPile(World& world, int steps, World* other = nullptr) {
  std::vector<std::uint64_t> hashes;
  for (int i = 0; i < steps; ++i) {
    hashes.push_back(world.step().hash);
    if (other != nullptr) other->step();
  }
  return hashes;
}

void addPile(World& world) {
  world.addBody(fixed(single("ground", PlaneGeometry{})));
  for (int i = 0; i < 8; ++i) {
    BodySpec spec = single("box " + std::to_string(i), BoxGeometry{{1, 1, 1}},
                           {0.3 * (i % 3), 0.2 * (i % 2), 1.0 + 1.2 * i});
    spec.angular_velocity = {0.1 * i, 0.3, 0};
    world.addBody(spec);
  }
}

TEST(World, HashesRepeatEvenWithAnotherWorldBesideIt) {
  World first(withOde());
  World second(withOde());
  World beside(withOde());
  for (World* world : {&first, &second, &beside}) addPile(*world);
  beside.body(3).setVelocity({1, 0, 0}, {});
  const auto alone = hashesOfATumblingPile(first, 480);
  const auto shared = hashesOfATumblingPile(second, 480, &beside);
  EXPECT_EQ(alone, shared);
  EXPECT_NE(first.stateHash(), beside.stateHash());
  EXPECT_EQ(alone.back(), first.metrics().hash);
}

TEST(World, HashChangesWithTheLastBit) {
  World world(withOde());
  Body& body = world.addBody(single("ball", SphereGeometry{1}));
  const std::uint64_t before = world.stateHash();
  body.setVelocity({0, 0, std::numeric_limits<dReal>::denorm_min()}, {});
  EXPECT_NE(world.stateHash(), before);
}

TEST(World, StateThatIsNotFiniteFailsTheRunBeforeOdeSeesIt) {
  using Break = std::function<void(dBodyID)>;
  const dReal nan = static_cast<dReal>(kNan);
  const std::vector<Break> breaks = {
      [nan](dBodyID b) { dBodySetLinearVel(b, nan, 0, 0); },
      [nan](dBodyID b) { dBodySetAngularVel(b, 0, nan, 0); },
      [nan](dBodyID b) { dBodySetPosition(b, 0, 0, nan); },
      [nan](dBodyID b) { dBodyAddTorque(b, nan, 0, 0); },
      [](dBodyID b) { dBodyAddForce(b, 0, 0, static_cast<dReal>(kInfinity)); }};
  for (const Break& spoil : breaks) {
    World world(withOde());
    Body& body = world.addBody(single("victim", SphereGeometry{1}));
    run(world, 2);
    spoil(body.odeBody());
    run(world, 3);
    ASSERT_TRUE(world.failure());
    EXPECT_EQ(world.failure()->kind, Failure::Kind::kNotFinite);
    EXPECT_EQ(world.failure()->body, 0U);
    EXPECT_NE(world.failure()->message.find("victim"), std::string::npos);
    EXPECT_EQ(world.metrics().step, 2U);
  }
}

TEST(World, LeavingTheKillBoxFailsTheRun) {
  WorldSettings settings = withOde();
  settings.kill_min = {-5, -5, -1};
  World world(settings);
  world.addBody(single("faller", SphereGeometry{0.1}, {0, 0, 1}));
  run(world, 480);
  ASSERT_TRUE(world.failure());
  EXPECT_EQ(world.failure()->kind, Failure::Kind::kEscaped);
  EXPECT_LT(world.metrics().step, 480U);
  EXPECT_NE(world.failure()->message.find("faller"), std::string::npos);
}

/// How deep a light box lies in the ground under one of a thousand times its weight.
double depthUnderALoad(Solver solver) {
  WorldSettings settings = withOde();
  settings.solver = solver;
  settings.iterations = 10;
  World world(settings);
  world.addBody(fixed(single("ground", BoxGeometry{{4, 4, 1}}, {0, 0, -0.5})));
  const Body& light = world.addBody(single("light", BoxGeometry{{1, 1, 1}}, {0, 0, 0.5}));
  BodySpec heavy = single("heavy", BoxGeometry{{1, 1, 1}}, {0, 0, 1.5});
  heavy.density = 1e6;
  world.addBody(heavy);
  run(world, 120);
  return 0.5 - light.centreOfMass().z;
}

TEST(World, TheExactSolverHoldsAHeavyBodyOnALightOne) {
  EXPECT_LT(depthUnderALoad(Solver::kExact), 1e-3);
  EXPECT_GT(depthUnderALoad(Solver::kQuick), 1e-2);
}

TEST(World, TheExactSolverRefusesMoreContactsThanItCanTake) {
  WorldSettings settings = withOde();
  settings.solver = Solver::kExact;
  World world(settings);
  world.addBody(fixed(single("ground", PlaneGeometry{})));
  for (int i = 0; i < 501; ++i)
    world.addBody(single("box", BoxGeometry{{0.5, 0.5, 0.5}}, {i * 1.0, 0, 0.249}));
  world.step();
  ASSERT_TRUE(world.failure());
  EXPECT_NE(world.failure()->message.find("2004"), std::string::npos) << world.failure()->message;
}

/// Takes one step with no memory but what the process has, and ends it: 0 if the world failed and says why.
[[noreturn]] void exitAfterAStepWithoutMemory(World& world) {
  constexpr rlimit kNothingMore{1, 1};
  setrlimit(RLIMIT_AS, &kNothingMore);
  world.step();
  const bool says = world.failure() && world.failure()->kind == Failure::Kind::kOutOfMemory &&
                    world.failure()->message.starts_with("out of memory") && world.metrics().step == 0;
  std::_Exit(says ? 0 : 1);
}

// 180,000 pairs, whose list takes more memory than is left over anywhere.
TEST(WorldDeathTest, FailsWhereThereIsNoMemoryForItsPairs) {
  if (mallinfo2().uordblks == 0) GTEST_SKIP() << "a sanitizer ends the program where memory runs out";
  WorldSettings settings;
  settings.collider = Collider::kOdemesh;
  settings.speculative = true;
  World world(settings);
  for (int i = 0; i < 600; ++i) world.addBody(single("box", BoxGeometry{{1, 1, 1}}));
  useCollider(Collider::kOdemesh);  // what it needs itself is there
  EXPECT_EXIT(exitAfterAStepWithoutMemory(world), testing::ExitedWithCode(0), "");
}

TEST(World, BodiesConnectedByAJointDoNotCollide) {
  World world(withOde());
  Body& a = world.addBody(single("a", BoxGeometry{{1, 1, 1}}));
  Body& b = world.addBody(single("b", BoxGeometry{{1, 1, 1}}, {0.9, 0, 0}));
  const JointHandle joint(dJointCreateBall(world.odeWorld(), nullptr));
  dJointAttach(joint.get(), a.odeBody(), b.odeBody());
  dJointSetBallAnchor(joint.get(), dReal(0.45), 0, 0);
  world.step();
  EXPECT_EQ(world.metrics().pairs, 0U);
}

TEST(WorldSettings, DefaultsAreValid) {
  EXPECT_NO_THROW(validate(WorldSettings{}));
}

TEST(WorldSettings, EachValueOutOfRangeIsNamed) {
  struct Case {
    const char* name;
    std::function<void(WorldSettings&)> change;
  };
  const std::vector<Case> cases = {
      {"time step", [](WorldSettings& s) { s.dt = 0; }},
      {"time step", [](WorldSettings& s) { s.dt = -0.01; }},
      {"time step", [](WorldSettings& s) { s.dt = kNan; }},
      {"time step", [](WorldSettings& s) { s.dt = 10; }},
      {"gravity", [](WorldSettings& s) { s.gravity.x = kInfinity; }},
      {"iterations", [](WorldSettings& s) { s.iterations = 0; }},
      {"ERP", [](WorldSettings& s) { s.erp = 1.5; }},
      {"CFM", [](WorldSettings& s) { s.cfm = -1; }},
      {"max contacts", [](WorldSettings& s) { s.max_contacts = 0; }},
      {"max contacts", [](WorldSettings& s) { s.max_contacts = 70000; }},
      {"mu", [](WorldSettings& s) { s.surface.mu = -0.1; }},
      {"mu", [](WorldSettings& s) { s.surface.mu = kNan; }},
      {"restitution", [](WorldSettings& s) { s.surface.restitution = 1.01; }},
      {"bounce threshold", [](WorldSettings& s) { s.surface.bounce_threshold = -1; }},
      {"contact ERP", [](WorldSettings& s) { s.surface.erp = 2; }},
      {"surface layer", [](WorldSettings& s) { s.surface_layer = kNan; }},
      {"correcting speed", [](WorldSettings& s) { s.max_correcting_speed = -1; }},
      {"kill_max", [](WorldSettings& s) { s.kill_max.y = 1e7; }},
      {"kill box", [](WorldSettings& s) { s.kill_max.y = s.kill_min.y; }},
  };
  for (const Case& c : cases) {
    WorldSettings settings;
    c.change(settings);
    const std::string message = refusal([&] { World world(settings); });
    EXPECT_NE(message.find(c.name), std::string::npos) << c.name << ": " << message;
  }
}

TEST(World, BodiesThatOdeCannotTakeAreRefusedByName) {
  TriangleMesh flat = makeBox({1, 1, 1});
  for (Vec3& v : flat.vertices) v = {v.x, 0, 0};
  const std::vector<std::function<void(BodySpec&)>> changes = {
      [](BodySpec& s) { s.parts.clear(); },
      [](BodySpec& s) { s.parts[0].geometry = SphereGeometry{0}; },
      [](BodySpec& s) { s.parts[0].geometry = SphereGeometry{kNan}; },
      [](BodySpec& s) {
        s.parts[0].geometry = BoxGeometry{{1, -1, 1}};
      },
      [](BodySpec& s) {
        s.parts[0].geometry = CylinderGeometry{1, kInfinity};
      },
      [](BodySpec& s) {
        s.parts[0].geometry = CapsuleGeometry{-1, 1};
      },
      [](BodySpec& s) { s.parts[0].geometry = PlaneGeometry{}; },
      [](BodySpec& s) { s.parts[0].geometry = MeshGeometry{}; },
      [](BodySpec& s) { s.density = 0; },
      [](BodySpec& s) { s.density = kNan; },
      [](BodySpec& s) { s.mass = -1; },
      [](BodySpec& s) { s.mass = kInfinity; },
      [](BodySpec& s) {
        s.inertial = Inertial{1, {}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}}};
      },
      [](BodySpec& s) {
        s.inertial = Inertial{1, {}, {{{1, 5, 0}, {5, 1, 0}, {0, 0, 1}}}};
      },
      [](BodySpec& s) { s.pose.translation.y = kNan; },
      [](BodySpec& s) { s.pose.translation.y = 1e9; },
      [](BodySpec& s) {
        s.pose.rotation = Mat3{{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}};
      },
      [](BodySpec& s) {
        s.pose.rotation = Mat3{{{1, 0, 0}, {0, 1, 0}, {0, 0, -1}}};
      },
      [](BodySpec& s) { s.linear_velocity.x = kNan; },
      [](BodySpec& s) { s.angular_velocity.x = kInfinity; },
  };
  World world(withOde());
  for (std::size_t i = 0; i < changes.size(); ++i) {
    BodySpec spec = single("odd one", SphereGeometry{1});
    changes[i](spec);
    const std::string message = refusal([&] { world.addBody(spec); });
    EXPECT_NE(message.find("odd one"), std::string::npos) << "case " << i << ": " << message;
  }
  EXPECT_EQ(world.bodyCount(), 0U);
  EXPECT_NE(refusal([&] { (void)CollisionMesh::make(flat); }), "");
  TriangleMesh far = makeBox({1, 1, 1});
  far.name = "far.off";
  for (Vec3& v : far.vertices) v.y += 2e6;
  const std::string message = refusal([&] { (void)CollisionMesh::make(far); });
  EXPECT_NE(message.find("far.off: its centre is more than 1e6 m from its own origin"), std::string::npos);
  world.step();
  EXPECT_FALSE(world.failure());
}

TEST(World, SupportOfPrimitivesMatchesTheirMeshes) {
  const Pose pose{{{{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}}}, {1, 2, 3}};
  const auto mesh = [](const TriangleMesh& m) { return MeshGeometry{CollisionMesh::make(m)}; };
  const std::vector<std::pair<Geometry, Geometry>> pairs = {
      {BoxGeometry{{1, 2, 3}}, mesh(makeBox({1, 2, 3}))},
      {SphereGeometry{0.7}, mesh(makeSphere(0.7, 200, 100))},
      {CylinderGeometry{0.5, 2}, mesh(makeCylinder(0.5, 2, 500))},
      {CapsuleGeometry{0.5, 2}, mesh(makeCapsule(0.5, 2, 200, 100))},
  };
  for (const auto& [primitive, meshed] : pairs)
    for (const Vec3& direction : {Vec3{0, 0, -1}, Vec3{1, 0, 0}, Vec3{0.6, 0, 0.8}, Vec3{-0.36, 0.48, 0.8}})
      EXPECT_NEAR(support(primitive, pose, direction), support(meshed, pose, direction), 2e-3);
}

}  // namespace
}  // namespace odemesh::sim
