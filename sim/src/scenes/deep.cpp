// Bodies that overlap at the start: pushed apart, not locked and not launched.
#include <algorithm>
#include <odemesh/sim/random.hpp>
#include <odemesh/sim/shapes.hpp>
#include <vector>

#include "scenes/families.hpp"
#include "scenes/meshes.hpp"
#include "scenes/overlap.hpp"
#include "scenes/variants.hpp"
#include "scenes/watch.hpp"

namespace odemesh::sim {
namespace {

// The fastest that ODE may push apart here, m/s.
constexpr double kCorrectingSpeed = 2;

WorldSettings weightless() {
  WorldSettings settings;
  settings.gravity = {};
  settings.max_correcting_speed = kCorrectingSpeed;
  return settings;
}

// Two free bodies share the correcting speed; spin may add to that of a body's fastest point.
SceneRun judgedApart(SceneBuilder& builder, double seconds = 1, double most_speed = kCorrectingSpeed) {
  const SceneFrame frame = builder.frame();
  SceneRun run = builder.finish(seconds);
  const auto fastest = std::make_shared<double>(0);
  run.observe = [fastest, frame](const World& w) {
    *fastest = std::max(*fastest, frame.length(w.metrics().greatest_speed));
  };
  run.judge = [fastest, frame, most_speed](World& w) {
    return std::vector<Figure>{
        {.name = "overlap at the end",
         .value = frame.length(greatestOverlap(w)) * 1e3,
         .limit = 1,
         .unit = "mm"},
        {.name = "speed", .value = *fastest, .limit = most_speed * 1.01, .unit = "m/s"}};
  };
  return run;
}

SceneRun halfBoxes(const SceneOptions& options) {
  SceneBuilder builder(options, weightless());
  builder.moving("first", builder.box({1, 1, 1}), {});
  builder.moving("second", builder.box({1, 1, 1}), {0.1, 0.05, 0.5});
  return judgedApart(builder);
}

SceneRun turnedBoxes(const SceneOptions& options) {
  SceneBuilder builder(options, weightless());
  builder.moving("first", builder.box({1, 1, 1}), {});
  builder.moving("second", builder.box({1, 1, 1}), {0.3, 0.2, 0.4}, rotationAbout({1, 2, 0.5}, 0.8));
  return judgedApart(builder);
}

SceneRun containedBox(const SceneOptions& options) {
  SceneBuilder builder(options, weightless());
  builder.fixed("outer", builder.box({1, 1, 1}), {});
  builder.moving("inner", builder.box({0.2, 0.2, 0.2}), {0.05, 0.02, 0.2});
  return judgedApart(builder);
}

SceneRun sphereInBox(const SceneOptions& options) {
  SceneBuilder builder(options, weightless());
  builder.fixed("box", builder.box({1, 1, 1}), {});
  builder.moving("ball", builder.sphere(0.25), {0.1, 0.02, 0.3});
  return judgedApart(builder);
}

SceneRun halfSpheres(const SceneOptions& options) {
  SceneBuilder builder(options, weightless());
  builder.moving("first", builder.sphere(0.5), {});
  builder.moving("second", builder.sphere(0.5), {0.3, 0.2, 0.35});
  return judgedApart(builder);
}

SceneRun crossedLs(const SceneOptions& options) {
  SceneBuilder builder(options, weightless());
  const TriangleMesh shape = extruded({{0, 0}, {1, 0}, {1, 0.25}, {0.25, 0.25}, {0.25, 1}, {0, 1}}, 0.25);
  const Geometry geometry = builder.mesh(shape);
  builder.moving("first", geometry, {});
  builder.moving("second", geometry, {0.5, -0.3, 0.05}, rotationAbout({0.3, 0.1, 1}, 1.1));
  return judgedApart(builder);
}

SceneRun crossedTori(const SceneOptions& options) {
  SceneBuilder builder(options, weightless());
  const Geometry ring = builder.mesh(makeTorus(0.4, 0.12, 32, 16));
  builder.moving("first", ring, {});
  builder.moving("second", ring, {0.7, 0.05, 0.02}, rotationAbout({1, 0, 0}, 1.2));
  return judgedApart(builder);
}

SceneRun barThroughSlab(const SceneOptions& options) {
  SceneBuilder builder(options, weightless());
  builder.fixed("slab", builder.box({2, 2, 0.2}), {});
  builder.moving("bar", builder.box({0.2, 0.2, 0.6}), {0.05, 0.03, 0.2}, rotationAbout({1, 0.3, 0}, 0.3));
  return judgedApart(builder);
}

// Five pairs of each shape, their centres up to `farthest` apart. Between surfaces at an angle, each left at
// the correcting speed, a body moves faster.
SceneRun pairsIn(const SceneOptions& options, const std::vector<TriangleMesh>& shapes, double farthest,
                 bool turned) {
  SceneBuilder builder(options, weightless());
  Random random(5);
  const int pairs_of_each = 5;
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    const Geometry geometry = builder.mesh(shapes[k]);
    for (int i = 0; i < pairs_of_each; ++i) {
      const Vec3 place{12.0 * double(k), 12.0 * i, 0};
      const Vec3 off = random.rotation() * Vec3{0, 0, 1} * (farthest * i / pairs_of_each);
      builder.moving("first", geometry, place);
      builder.moving("second", geometry, place + off, turned ? random.rotation() : Mat3{});
    }
  }
  return judgedApart(builder, 2, 3 * kCorrectingSpeed);
}

std::vector<TriangleMesh> concaveShapes() {
  return {star5(1, 0.5, 0.2), jack(1.6, 0.3), makeTorus(0.7, 0.2, 32, 16),
          cup({.bottom = 0.4, .rim = 0.6, .height = 1, .wall = 0.1}, 24),
          trefoil({.major = 0.5, .minor = 0.2, .tube = 0.12}, 48, 8)};
}

SceneRun crossedPairs(const SceneOptions& options) {
  return pairsIn(options, concaveShapes(), 0.4, true);
}

SceneRun twins(const SceneOptions& options) {
  return pairsIn(options, concaveShapes(), 1e-6, false);
}

}  // namespace

std::vector<Scene> deepScenes() {
  std::vector<Scene> out;
  const Scene half{"deep/half", "boxes half inside each other", {}, true, &halfBoxes};
  appendCuts(out, half);
  appendScales(out, half);
  appendCuts(out, {"deep/turned", "boxes deep in each other, turned", {}, true, &turnedBoxes});
  appendCuts(out, {"deep/contained", "a small box inside a big one", {}, true, &containedBox});
  out.push_back({"deep/ball-in-box", "a ball mostly inside a box", {}, true, &sphereInBox});
  out.push_back({"deep/balls", "balls half inside each other", {}, true, &halfSpheres});
  out.push_back({"deep/crossed-l", "crossed L-shaped bars", {}, false, &crossedLs});
  out.push_back({"deep/crossed-rings", "rings through each other's tubes", {}, false, &crossedTori});
  const Scene pairs{
      "deep/pairs", "stars, jacks, rings, cups and knots, in each other anyhow", {}, false, &crossedPairs};
  out.push_back(pairs);
  appendScales(out, pairs);
  out.push_back({"deep/twins", "the same, in the same place", {}, false, &twins});
  out.push_back({"deep/bar-in-slab", "a bar stuck through a slab", {}, true, &barThroughSlab});
  return out;
}

}  // namespace odemesh::sim
