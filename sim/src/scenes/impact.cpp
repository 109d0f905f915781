// Two bodies that meet in free space without friction: momentum, direction of the impulse, energy.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <odemesh/sim/shapes.hpp>

#include "scenes/families.hpp"
#include "scenes/meshes.hpp"
#include "scenes/variants.hpp"
#include "scenes/watch.hpp"

namespace odemesh::sim {
namespace {

constexpr double kSpeed = 2;

/// What the pair looks like as it is about to touch: the first at rest, the second coming down along -z. The
/// closed form of the impulse's direction on the second body is +z.
struct Encounter {
  Geometry first, second;
  Pose first_pose{}, second_pose{};
  bool has_direction = true;
};

Vec3 momentum(const World& world) {
  Vec3 sum;
  for (const std::size_t i : dynamicBodies(world))
    sum += world.body(i).linearVelocity() * world.body(i).inertial().mass;
  return sum;
}

Vec3 angularMomentum(const World& world, const Vec3& about) {
  Vec3 sum;
  for (const std::size_t i : dynamicBodies(world)) {
    const Body& body = world.body(i);
    const Mat3 turned = body.pose().rotation;
    sum += cross(body.centreOfMass() - about, body.linearVelocity() * body.inertial().mass);
    sum += turned * (body.inertial().inertia * (turned.transposed() * body.angularVelocity()));
  }
  return sum;
}

struct EncounterWatch {
  Vec3 start_momentum, start_angular, start_velocity, centre;
  double start_energy = 0, most_energy = 0;
  Vec3 impulse{};
  bool met = false;

  void begin(const World& world) {
    centre = world.body(0).centreOfMass();
    start_momentum = momentum(world);
    start_angular = angularMomentum(world, centre);
    start_velocity = world.body(1).linearVelocity();
    start_energy = most_energy = world.metrics().kinetic_energy;
  }
  void observe(const World& world) {
    most_energy = std::max(most_energy, world.metrics().kinetic_energy);
    if (met || world.metrics().contacts == 0) return;
    met = true;
    impulse = world.body(1).linearVelocity() - start_velocity;
  }
};

std::vector<Figure> judgeEncounter(const EncounterWatch& seen, const World& world, const Vec3& direction,
                                   bool has_direction) {
  const double scale = length(seen.start_momentum);
  const double arm = world.body(1).boundingRadius();
  const Vec3 turn = angularMomentum(world, seen.centre) - seen.start_angular;
  const double off = std::atan2(length(cross(seen.impulse, direction)), dot(seen.impulse, direction));
  std::vector<Figure> out = {
      {.name = "met",
       .value = seen.met ? 1.0 : 0.0,
       .limit = 1,
       .unit = "",
       .bound = Figure::Bound::kAtLeast},
      {.name = "momentum lost",
       .value = length(momentum(world) - seen.start_momentum) / scale * 100,
       .limit = 1e-6,
       .unit = "%"},
      // ODE's integration of gyroscopic torque alone changes it by about this much.
      {.name = "angular momentum lost", .value = length(turn) / (scale * arm) * 100, .limit = 1, .unit = "%"},
      {.name = "energy gain",
       .value = (seen.most_energy / seen.start_energy - 1) * 100,
       .limit = 0.1,
       .unit = "%"}};
  if (has_direction)
    out.push_back(
        {.name = "direction off", .value = off * 180 / std::numbers::pi, .limit = 0.1, .unit = "deg"});
  return out;
}

using MakeEncounter = std::function<Encounter(const SceneBuilder&)>;

SceneRun meet(const SceneOptions& options, double restitution, const MakeEncounter& make) {
  WorldSettings settings;
  settings.gravity = {};
  settings.surface.mu = 0;
  settings.surface.restitution = restitution;
  settings.surface.bounce_threshold = 0;
  SceneBuilder builder(options, settings);
  const Encounter pair = make(builder);
  // No axis of the world is special.
  const Pose frame{rotationAbout({1, 2, -0.7}, 0.9), {}};
  const Pose first = frame * pair.first_pose, second = frame * pair.second_pose;
  builder.moving("first", pair.first, first.translation, first.rotation);
  builder.moving("second", pair.second, second.translation, second.rotation, frame.rotate({0, 0, -kSpeed}));
  SceneRun run = builder.finish(0.5);
  const auto watch = std::make_shared<EncounterWatch>();
  watch->begin(*run.world);
  watch->start_energy = watch->most_energy = run.world->metrics().kinetic_energy;
  run.observe = [watch](const World& w) { watch->observe(w); };
  run.judge = [watch, frame, directed = pair.has_direction](World& w) {
    return judgeEncounter(*watch, w, frame.rotate({0, 0, 1}), directed);
  };
  return run;
}

// A gap so that the first contact comes some steps after the start, at no round depth.
constexpr double kGap = 0.0213;

Encounter faces(const SceneBuilder& b) {
  return {
      b.box({1, 1, 1}), b.box({0.6, 0.6, 0.6}), {}, {rotationAbout({0, 0, 1}, 0.3), {0.2, 0.1, 0.8 + kGap}}};
}

Encounter edges(const SceneBuilder& b) {
  const double reach = std::sqrt(0.5), quarter = std::numbers::pi / 4;
  return {b.box({2, 1, 1}),
          b.box({1, 2, 1}),
          {rotationAbout({1, 0, 0}, quarter), {}},
          {rotationAbout({0, 1, 0}, quarter), {0.13, 0.2, 2 * reach + kGap}}};
}

Encounter corner(const SceneBuilder& b) {
  const Vec3 diagonal = normalised({1, 1, 1});
  const Mat3 stand = rotationAbout(cross(diagonal, {0, 0, -1}), std::acos(-diagonal.z));
  return {
      b.box({1, 1, 1}), b.box({0.5, 0.5, 0.5}), {}, {stand, {0.2, 0.15, 0.5 + 0.5 * std::sqrt(0.75) + kGap}}};
}

Encounter balls(const SceneBuilder& b) {
  return {b.sphere(0.5), b.sphere(0.3), {}, {{}, {0.2, 0.1, 0.77 + kGap}}, false};
}

// The tubes of two rings cross at a right angle.
Encounter rings(const SceneBuilder& b) {
  const Geometry ring = b.mesh(makeTorus(0.4, 0.1, 32, 16));
  const double half_turn = std::numbers::pi / 2;
  return {ring,
          ring,
          {rotationAbout({1, 0, 0}, half_turn), {}},
          {rotationAbout({0, 1, 0}, half_turn) * rotationAbout({0, 0, 1}, 0.0), {0, 0, 1 + kGap}}};
}

// The arm of one L meets the inside of the other's.
Encounter ells(const SceneBuilder& b) {
  const std::vector<Point2> outline = {{0, 0}, {1, 0}, {1, 0.25}, {0.25, 0.25}, {0.25, 1}, {0, 1}};
  const Geometry shape = b.mesh(extruded(outline, 0.25));
  // Upright: the outline's y becomes z.
  const Mat3 upright = rotationAbout({1, 0, 0}, std::numbers::pi / 2);
  const Mat3 hanging = rotationAbout({0, 1, 0}, std::numbers::pi) * upright;
  return {shape, shape, {upright, {}}, {hanging, {1.6, 0.03, 1.25 + kGap}}};
}

// The edges of two sharp tips cross. What overlaps is narrower than it is high.
Encounter tips(const SceneBuilder& b) {
  constexpr double kTip = 0.55;
  const Geometry star = b.mesh(star5(kTip, 0.22, 0.2));
  // The tip on the outline's x axis points up, or down and turned.
  const Mat3 up = rotationAbout({0, 1, 0}, -std::numbers::pi / 2);
  const Mat3 down = rotationAbout({0, 0, 1}, 0.9) * rotationAbout({0, 1, 0}, std::numbers::pi / 2);
  return {star, star, {up, {}}, {down, {0.03, 0.02, 2 * kTip + kGap}}};
}

Scene encounterScene(const std::string& name, const std::string& description, double restitution,
                     bool has_primitives, const MakeEncounter& make) {
  return {"impact/" + name, description, {}, has_primitives, [restitution, make](const SceneOptions& o) {
            return meet(o, restitution, make);
          }};
}

void appendBoth(std::vector<Scene>& out, const std::string& name, const std::string& description,
                bool has_primitives, const MakeEncounter& make) {
  for (const int e : {0, 1}) {
    const std::string number = std::to_string(e);
    const Scene scene =
        encounterScene(name + "-e" + number, description + ", e = " + number, e, has_primitives, make);
    if (has_primitives)
      appendCuts(out, scene);
    else
      out.push_back(scene);
  }
}

}  // namespace

std::vector<Scene> impactScenes() {
  std::vector<Scene> out;
  appendBoth(out, "face", "a box's face on another's", true, &faces);
  appendBoth(out, "edge", "crossed edges", true, &edges);
  appendBoth(out, "corner", "a corner on a face", true, &corner);
  appendBoth(out, "balls", "balls of facets, off centre", false, &balls);
  appendBoth(out, "rings", "crossed rings", false, &rings);
  appendBoth(out, "ells", "the arm of an L inside the other", false, &ells);
  appendBoth(out, "tips", "the tips of two stars, crossed", false, &tips);
  return out;
}

}  // namespace odemesh::sim
