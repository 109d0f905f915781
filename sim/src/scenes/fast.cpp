// Small fast bodies against a thin plate at 60 steps a second, without speculative contacts: no more may pass
// than of primitives.
#include <odemesh/sim/random.hpp>
#include <odemesh/sim/shapes.hpp>

#include "scenes/families.hpp"
#include "scenes/meshes.hpp"
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

WorldSettings rangeSettings() {
  WorldSettings settings;
  settings.gravity = {};
  return settings;
}

bool passes(const SceneOptions& options, const Range& range, const Throw& t) {
  SceneBuilder builder(options, rangeSettings());
  place(builder, range, t);
  const SceneFrame frame = builder.frame();
  SceneRun run = builder.finish(0.25);
  while (!run.isDone()) run.step();
  return frame.point(run.world->body(1).centreOfMass()).z < 0;
}

SceneRun throwAtPlate(const SceneOptions& options, double speed, double spin) {
  SceneBuilder builder(options, rangeSettings());
  const Range range(builder);
  Random show(1);
  place(builder, range, randomThrow(show, speed, spin));
  SceneRun run = builder.finish(0.25);
  run.judge = [=](World&) {
    Random random(23);
    const int count = options.quick ? 100 : 1000;
    int passed = 0;
    for (int i = 0; i < count; ++i)
      passed += passes(options, range, randomThrow(random, speed, spin)) ? 1 : 0;
    return std::vector<Figure>{{.name = "passed through",
                                .value = 100.0 * passed / count,
                                .limit = 0,
                                .unit = "% of throws",
                                .primitive_factor = 1}};
  };
  return run;
}

Scene throwScene(double speed, double spin) {
  const std::string number = std::to_string(static_cast<int>(speed));
  Scene scene{"fast/plain-" + number + (spin > 0 ? "-spinning" : ""),
              "small bodies at " + number + " m/s at a plate 20 mm thick" + (spin > 0 ? ", spinning" : ""),
              {},
              true,
              [speed, spin](const SceneOptions& o) { return throwAtPlate(o, speed, spin); }};
  scene.options.dt = 1.0 / 60;
  return scene;
}

}  // namespace

std::vector<Scene> fastScenes() {
  return {throwScene(5, 0), throwScene(20, 0), throwScene(50, 0), throwScene(100, 0), throwScene(20, 60)};
}

}  // namespace odemesh::sim
