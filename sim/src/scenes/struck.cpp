// A fast body strikes one of many at 60 steps a second: what it sets in motion may not pass into the others
// within the same step.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <odemesh/sim/random.hpp>
#include <string>
#include <vector>

#include "scenes/families.hpp"
#include "scenes/overlap.hpp"
#include "scenes/watch.hpp"

namespace odemesh::sim {
namespace {

constexpr double kBallRadius = 0.0285;  ///< of billiards
constexpr int kRow = 6;

std::string numberOf(double speed) {
  return std::to_string(static_cast<int>(speed));
}

WorldSettings freeSettings(double restitution) {
  WorldSettings settings;
  settings.gravity = {};
  settings.surface.restitution = restitution;
  return settings;
}

/// The first of a row of balls flies at the others, which are 1 mm apart.
SceneRun row(const SceneOptions& options, double speed) {
  SceneBuilder builder(options, freeSettings(0.5));
  const Geometry ball = builder.sphere(kBallRadius, 3);
  builder.moving("cue", ball, {-0.5, 0, 0}, {}, {speed, 0, 0});
  for (int i = 1; i < kRow; ++i)
    builder.moving("ball " + std::to_string(i), ball, {i * (2 * kBallRadius + 0.001), 0, 0});
  const SceneFrame frame = builder.frame();
  SceneRun run = builder.finish(0.6 / speed + 0.1);
  const auto deepest = std::make_shared<double>(0);
  run.observe = [=](const World& world) {
    for (std::size_t i = 0; i + 1 < world.bodyCount(); ++i) {
      const Vec3 between = frame.vector(world.body(i + 1).centreOfMass() - world.body(i).centreOfMass());
      *deepest = std::max(*deepest, 2 * kBallRadius - std::copysign(length(between), between.x));
    }
  };
  run.judge = [=](World&) {
    // As deep as contacts ahead let anything go on.
    return std::vector<Figure>{{.name = "greatest overlap on the way",
                                .value = 100 * *deepest / kBallRadius,
                                .limit = 25,
                                .unit = "% of radius"}};
  };
  return run;
}

/// Balls, cubes or plates of 0.1 m in a grid, 10 mm apart at their nearest, and one of them that flies at it.
struct Cluster {
  std::array<Geometry, 3> shapes;

  static constexpr std::array kPitch{0.11, 0.183, 0.155};
  static constexpr std::array kThickness{0.05, 0.05, 0.02143};  ///< three times the volume by the area

  explicit Cluster(const SceneBuilder& b)
      : shapes{b.sphere(0.05, 2), b.box({0.1, 0.1, 0.1}), b.box({0.1, 0.1, 0.02})} {}

  void place(SceneBuilder& builder, Random& random, std::size_t shape, double speed) const {
    const double pitch = kPitch[shape];
    for (int i = 0; i < 36; ++i) {
      const int layer = i / 9, row = i / 3 % 3, column = i % 3;
      const Vec3 cell{double(layer), double(row) - 1, double(column) - 1};
      const Vec3 off{random.uniform(-3e-3, 3e-3), random.uniform(-3e-3, 3e-3), random.uniform(-3e-3, 3e-3)};
      builder.moving("body " + std::to_string(i), shapes[shape], cell * pitch + off, random.rotation());
    }
    const Vec3 from{random.uniform(-1.3, -1), random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1)};
    builder.moving("striker", shapes[shape], from, random.rotation(), {speed, 0, 0});
  }
};

/// How deep any two come into each other, in units of their thickness.
double greatestDepth(SceneBuilder builder, std::size_t shape, double duration) {
  const double unit = builder.options().scale * Cluster::kThickness[shape];
  SceneRun run = builder.finish(duration);
  double deepest = 0;
  while (!run.isDone()) {
    run.step();
    deepest = std::max(deepest, greatestOverlap(*run.world));
  }
  return deepest / unit;
}

SceneRun clusters(const SceneOptions& options, double speed) {
  const WorldSettings settings = freeSettings(0.2);
  SceneBuilder shown(options, settings);
  const Cluster cluster(shown);
  Random show(1);
  cluster.place(shown, show, 0, speed);
  const double duration = 1.8 / speed + 0.1;
  SceneRun run = shown.finish(duration);
  run.judge = [=](World&) {
    Random random(47);
    const int count = options.quick ? 30 : 150;
    int deep = 0;
    for (int i = 0; i < count; ++i) {
      SceneBuilder builder(options, settings);
      const std::size_t shape = std::size_t(i) % 3;
      cluster.place(builder, random, shape, speed);
      deep += greatestDepth(std::move(builder), shape, duration) > 0.5 ? 1 : 0;
    }
    return std::vector<Figure>{{.name = "deeper than half a thickness",
                                .value = 100.0 * deep / count,
                                .limit = 1,
                                .unit = "% of clusters"}};
  };
  return run;
}

Scene sceneOf(const std::string& name, const std::string& about, bool has_primitives,
              std::function<SceneRun(const SceneOptions&)> make) {
  Scene scene{"fast/" + name, about, {}, has_primitives, std::move(make)};
  scene.options.dt = 1.0 / 60;
  return scene;
}

}  // namespace

std::vector<Scene> struckScenes() {
  std::vector<Scene> out;
  for (const double speed : {5, 20, 50})
    out.push_back(sceneOf("row-" + numberOf(speed),
                          "a ball at " + numberOf(speed) + " m/s at a row of balls 1 mm apart", true,
                          [=](const SceneOptions& o) { return row(o, speed); }));
  for (const double speed : {5, 10})
    out.push_back(sceneOf("cluster-" + numberOf(speed),
                          "a body at " + numberOf(speed) + " m/s into clusters of 36 of its kind", false,
                          [=](const SceneOptions& o) { return clusters(o, speed); }));
  return out;
}

}  // namespace odemesh::sim
