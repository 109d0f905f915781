// Small fast bodies against a thin plate at 60 steps a second: with speculative contacts none may pass,
// without them no more than of primitives. And such bodies against each other, both flying.
#include <algorithm>
#include <array>
#include <odemesh/motion.hpp>
#include <odemesh/sim/random.hpp>

#include "scenes/convex_overlap.hpp"
#include "scenes/families.hpp"
#include "scenes/meshes.hpp"
#include "scenes/overlap.hpp"
#include "scenes/variants.hpp"
#include "scenes/watch.hpp"

namespace odemesh::sim {
namespace {

struct Throw {
  Vec3 position, velocity, spin;
  Mat3 rotation;
  int shape;
};

Throw randomThrow(Random& random, double speed, double spin) {
  Throw out;
  out.position = {random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(0.3, 1)};
  out.velocity = Vec3{random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), -1} * speed;
  out.spin = Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)} * spin;
  out.rotation = random.rotation();
  out.shape = static_cast<int>(random.uniform(0, 3));
  return out;
}

/// Built once; every throw has a world of its own.
struct Range {
  Geometry plate, shapes[3];

  explicit Range(const SceneBuilder& b)
      : plate(b.box({20, 20, 0.02})),
        shapes{b.box({0.2, 0.15, 0.1}), b.sphere(0.1, 1), b.box({0.3, 0.06, 0.06})} {}
};

void place(SceneBuilder& builder, const Range& range, const Throw& t) {
  builder.fixed("plate", range.plate);
  builder.moving("body", range.shapes[t.shape], t.position, t.rotation, t.velocity, t.spin);
}

WorldSettings rangeSettings(bool speculative) {
  WorldSettings settings;
  settings.speculative = speculative;
  settings.gravity = {};
  return settings;
}

bool passes(const SceneOptions& options, bool speculative, const Range& range, const Throw& t) {
  SceneBuilder builder(options, rangeSettings(speculative));
  place(builder, range, t);
  const SceneFrame frame = builder.frame();
  SceneRun run = builder.finish(0.25);
  while (!run.isDone()) run.step();
  return frame.point(run.world->body(1).centreOfMass()).z < 0;
}

SceneRun throwAtPlate(const SceneOptions& options, bool speculative, double speed, double spin) {
  SceneBuilder builder(options, rangeSettings(speculative));
  const Range range(builder);
  Random show(1);
  place(builder, range, randomThrow(show, speed, spin));
  SceneRun run = builder.finish(0.25);
  run.judge = [=](World&) {
    Random random(23);
    const int count = 1000;
    int passed = 0;
    for (int i = 0; i < count; ++i)
      passed += passes(options, speculative, range, randomThrow(random, speed, spin)) ? 1 : 0;
    return std::vector<Figure>{{.name = "passed through",
                                .value = 100.0 * passed / count,
                                .limit = 0,
                                .unit = "% of throws",
                                .primitive_factor = speculative ? 0.0 : 1.0}};
  };
  return run;
}

Scene throwScene(bool speculative, double speed, double spin) {
  const std::string number = std::to_string(static_cast<int>(speed));
  Scene scene{std::string("fast/") + (speculative ? "" : "plain-") + number + (spin > 0 ? "-spinning" : ""),
              "small bodies at " + number + " m/s at a plate 20 mm thick" + (spin > 0 ? ", spinning" : "") +
                  (speculative ? "" : ", no speculative contacts"),
              {},
              true,
              [=](const SceneOptions& o) { return throwAtPlate(o, speculative, speed, spin); }};
  scene.options.dt = 1.0 / 60;
  return scene;
}

/// Two bodies that approach along z, off centre by up to 4 cm, while both drift.
struct Encounter {
  Vec3 position, velocity[2], spin[2];
  Mat3 rotation[2];
  int shape[2];
};

Encounter randomEncounter(Random& random, double speed, double spin) {
  const auto anyVector = [&random](double size) {
    return Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)} * size;
  };
  Encounter out;
  const Vec3 drift = anyVector(0.5 * speed);
  const double share = random.uniform(0.2, 0.8);
  out.position = {random.uniform(-0.03, 0.03), random.uniform(-0.03, 0.03), random.uniform(0.8, 1.6)};
  out.velocity[0] = drift + Vec3{0, 0, -speed * share};
  out.velocity[1] = drift + Vec3{0, 0, speed * (1 - share)};
  for (int i = 0; i < 2; ++i) {
    out.spin[i] = anyVector(spin);
    out.rotation[i] = random.rotation();
    out.shape[i] = static_cast<int>(random.uniform(0, 4));
  }
  return out;
}

using EncounterShapes = std::array<Geometry, 4>;

EncounterShapes encounterShapes(const SceneOptions& options) {
  const SceneBuilder b(options, rangeSettings(true));
  return {b.box({0.2, 0.15, 0.1}), b.sphere(0.1, 1), b.box({0.3, 0.06, 0.06}), b.box({0.6, 0.6, 0.03})};
}

/// Of the shapes of encounters: three times the volume by the area.
constexpr std::array kThickness{0.0692, 0.1, 0.0409, 0.0409};

/// Of the thinner one.
double thicknessOf(const Encounter& e) {
  return std::min(kThickness[e.shape[0]], kThickness[e.shape[1]]);
}

SceneBuilder encounterBuilder(const SceneOptions& options, const EncounterShapes& shapes,
                              const Encounter& e) {
  SceneBuilder builder(options, rangeSettings(true));
  builder.moving("first", shapes[e.shape[0]], e.position, e.rotation[0], e.velocity[0], e.spin[0]);
  builder.moving("second", shapes[e.shape[1]], {}, e.rotation[1], e.velocity[1], e.spin[1]);
  return builder;
}

/// How both bodies moved in each step of a run.
using Course = std::vector<std::array<Motion, 2>>;

/// Takes one step. ODE moves bodies by the velocities that it has found.
std::array<Motion, 2> stepOf(SceneRun& run) {
  const World& world = *run.world;
  std::array<Motion, 2> out;
  for (std::size_t i = 0; i < 2; ++i) {
    out[i].pose = world.body(i).pose();
    out[i].centre = world.body(i).centreOfMass();
  }
  run.step();
  for (std::size_t i = 0; i < 2; ++i) {
    out[i].velocity = world.body(i).linearVelocity();
    out[i].spin = world.body(i).angularVelocity();
  }
  return out;
}

/// How deep they come into each other on a course, between the steps, too.
double deepestOn(const Course& course, double dt, const Encounter& e, const EncounterShapes& shapes,
                 double resolution) {
  const auto solid = [&](int i) { return ConvexSolid(std::get<MeshGeometry>(shapes[e.shape[i]])); };
  const ConvexSolid first = solid(0), second = solid(1);
  double deepest = 0;
  for (const auto& [a, b] : course) {
    const int count = 1 + int(length(a.velocity - b.velocity) * dt / resolution);
    for (int i = 1; i <= count; ++i) {
      const double time = dt * i / count;
      deepest = std::max(deepest, ConvexSolid::overlap(first, a.at(time), second, b.at(time)));
    }
  }
  return deepest;
}

/// Are they past each other with more than half of their speed, though they were deeper in each other than
/// half the thickness of the thinner one? What is struck near its end keeps so much speed, too.
bool fliesThrough(SceneBuilder builder, const Encounter& e, const EncounterShapes& shapes, double speed) {
  const SceneFrame frame = builder.frame();
  SceneRun run = builder.finish(0.25);
  Course course;
  while (!run.isDone()) course.push_back(stepOf(run));
  const Body &first = run.world->body(0), &second = run.world->body(1);
  const Vec3 velocity = frame.vector(first.linearVelocity() - second.linearVelocity());
  if (frame.vector(first.centreOfMass() - second.centreOfMass()).z >= 0 || velocity.z >= -0.5 * speed)
    return false;
  const double thickness = thicknessOf(e) * frame.scale;
  return deepestOn(course, run.world->settings().dt, e, shapes, 0.1 * thickness) > 0.5 * thickness;
}

/// How deep they come into each other, in units of the thinner one's thickness.
double greatestDepth(SceneBuilder builder, const Encounter& e, double duration) {
  const double unit = builder.options().scale * thicknessOf(e);
  SceneRun run = builder.finish(duration);
  double deepest = 0;
  while (!run.isDone()) {
    run.step();
    deepest = std::max(deepest, overlapDepth(run.world->body(0), run.world->body(1)));
  }
  return deepest / unit;
}

/// One encounter to look at.
SceneRun shownEncounter(const SceneOptions& options, const EncounterShapes& shapes, double speed,
                        double spin) {
  Random show(1);
  return encounterBuilder(options, shapes, randomEncounter(show, speed, spin)).finish(0.25);
}

SceneRun depths(const SceneOptions& options, double speed, double spin) {
  const std::array shapes = encounterShapes(options);
  SceneRun run = shownEncounter(options, shapes, speed, spin);
  run.judge = [=](World&) {
    Random random(43);
    const int count = options.quick ? 200 : 1000;
    int half = 0, whole = 0;
    for (int i = 0; i < count; ++i) {
      const Encounter e = randomEncounter(random, speed, spin);
      const double depth = greatestDepth(encounterBuilder(options, shapes, e), e, 0.15 + 1.6 / speed);
      half += depth > 0.5 ? 1 : 0;
      whole += depth > 1 ? 1 : 0;
    }
    const double share = 100.0 / count;
    return std::vector<Figure>{
        {.name = "deeper than half a thickness", .value = share * half, .limit = 0.5, .unit = "% of throws"},
        {.name = "deeper than a thickness", .value = share * whole, .limit = 0, .unit = "% of throws"}};
  };
  return run;
}

SceneRun encounters(const SceneOptions& options, double speed, double spin) {
  const std::array shapes = encounterShapes(options);
  SceneRun run = shownEncounter(options, shapes, speed, spin);
  run.judge = [=](World&) {
    Random random(41);
    const int count = 1000;
    int passed = 0;
    for (int i = 0; i < count; ++i) {
      const Encounter e = randomEncounter(random, speed, spin);
      passed += fliesThrough(encounterBuilder(options, shapes, e), e, shapes, speed) ? 1 : 0;
    }
    return std::vector<Figure>{
        {.name = "flown through", .value = 100.0 * passed / count, .limit = 0.5, .unit = "% of throws"}};
  };
  return run;
}

Scene encounterScene(double speed, double spin) {
  const std::string number = std::to_string(static_cast<int>(speed));
  Scene scene{"fast/both-" + number + (spin > 0 ? "-spinning" : ""),
              "two small bodies that meet at " + number + " m/s" + (spin > 0 ? ", spinning" : ""),
              {},
              false,
              [=](const SceneOptions& o) { return encounters(o, speed, spin); }};
  scene.options.dt = 1.0 / 60;
  return scene;
}

Scene depthScene(double speed, double spin) {
  const std::string number = std::to_string(static_cast<int>(speed));
  Scene scene{"fast/into-" + number,
              "how deep two small bodies that spin come into each other as they meet at " + number + " m/s",
              {},
              false,
              [=](const SceneOptions& o) { return depths(o, speed, spin); }};
  scene.options.dt = 1.0 / 60;
  return scene;
}

}  // namespace

std::vector<Scene> fastScenes() {
  std::vector<Scene> out;
  for (const bool speculative : {true, false}) {
    for (const double speed : {5, 20, 50, 100}) out.push_back(throwScene(speculative, speed, 0));
    for (const double speed : {20, 50, 100}) out.push_back(throwScene(speculative, speed, 60));
  }
  for (const double speed : {20, 50, 100})
    for (const double spin : {0, 60}) out.push_back(encounterScene(speed, spin));
  for (const double speed : {5, 20}) out.push_back(depthScene(speed, 20));
  for (const double speed : {20, 50}) appendFewContacts(out, throwScene(true, speed, 60));
  return out;
}

}  // namespace odemesh::sim
