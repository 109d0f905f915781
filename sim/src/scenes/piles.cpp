// Many bodies at once: in bowls and bins.
#include <algorithm>
#include <cmath>
#include <odemesh/sim/random.hpp>
#include <odemesh/sim/shapes.hpp>

#include "scenes/families.hpp"
#include "scenes/meshes.hpp"
#include "scenes/overlap.hpp"
#include "scenes/variants.hpp"
#include "scenes/watch.hpp"

namespace odemesh::sim {
namespace {

/// What every heap is judged by: the overlap at its end as a share of `radius`, the bodies below `floor`, and
/// whether energy came from nowhere.
SceneRun judgedHeap(SceneBuilder& builder, double duration, double radius, double floor,
                    double speed_limit = 0.1) {
  const SceneFrame frame = builder.frame();
  SceneRun run = builder.finish(duration);
  const auto energy = std::make_shared<EnergyWatch>(*run.world);
  const double fall = EnergyWatch::fallOfOneMetre(*run.world, frame);
  const auto deepest = std::make_shared<double>(0);
  run.observe = [energy, deepest, frame](const World& w) {
    energy->observe(w);
    *deepest = std::max(*deepest, frame.length(w.metrics().greatest_depth));
  };
  run.judge = [=](World& w) {
    int lost = 0;
    for (const std::size_t i : dynamicBodies(w))
      lost += frame.point(w.body(i).centreOfMass()).z < floor ? 1 : 0;
    return std::vector<Figure>{
        {.name = "overlap at the end",
         .value = frame.length(greatestOverlap(w)) / radius * 100,
         .limit = 1,
         .unit = "% of radius",
         .primitive_factor = 2},
        {.name = "energy gain", .value = energy->gain(fall) * 100, .limit = 0.1, .unit = "%"},
        {.name = "speed at the end",
         .value = frame.length(w.metrics().rms_speed),
         .limit = speed_limit,
         .unit = "m/s",
         .primitive_factor = 2},
        {.name = "fallen out", .value = static_cast<double>(lost), .limit = 0, .unit = ""}};
  };
  return run;
}

SceneRun ballInBowl(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("bowl", builder.mesh(makeBowl(1, 0.15, 48, 12)));
  // Nothing slows a rolling ball down, so its speed at the end is not that of rest.
  builder.moving("ball", builder.mesh(makeIcosphere(0.3, 3)), {0.35, 0.1, 0.7});
  return judgedHeap(builder, options.quick ? 6 : 20, 0.3, -0.01, 2);
}

SceneRun jacksInBowl(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("bowl", builder.mesh(makeBowl(1, 0.15, 32, 8)));
  const Geometry geometry = builder.mesh(jack(0.4, 0.08));
  Random random(3);
  for (int i = 0; i < 12; ++i)
    builder.moving("jack " + std::to_string(i), geometry,
                   {random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), 0.6 + 0.35 * i}, random.rotation());
  return judgedHeap(builder, options.quick ? 5 : 15, 0.2, 0);
}

SceneRun pile(const SceneOptions& options, int count, const TriangleMesh& shape, double radius) {
  SceneBuilder builder(options);
  builder.fixed("bin", builder.mesh(bin({1.6, 1.6, 2.5}, 0.3)));
  const Geometry geometry = builder.mesh(shape);
  Random random(11);
  for (int i = 0; i < count; ++i) {
    const int column = i % 16;
    builder.moving("body " + std::to_string(i), geometry,
                   {0.4 * (column % 4 - 1.5) + random.uniform(-0.01, 0.01),
                    0.4 * (column / 4 - 1.5) + random.uniform(-0.01, 0.01), 0.3 + 0.4 * (i / 16)},
                   random.rotation());
  }
  return judgedHeap(builder, options.quick ? 3 : 8, radius, 0);
}

}  // namespace

std::vector<Scene> pileScenes() {
  std::vector<Scene> out;
  out.push_back({"piles/bowl", "a ball of 1,280 triangles let go in a bowl", {}, false, &ballInBowl});
  out.push_back({"piles/jacks", "12 jacks dropped into a bowl", {}, false, &jacksInBowl});
  out.push_back({"piles/boxes", "30 cut cubes dropped into a bin", {}, false, [](const SceneOptions& o) {
                   return pile(o, 30, makeBox({0.2, 0.2, 0.2}, 3), 0.1);
                 }});
  out.push_back({"piles/balls",
                 "100 balls of 1,280 triangles dropped into a bin",
                 {},
                 false,
                 [](const SceneOptions& o) { return pile(o, 100, makeIcosphere(0.18, 3), 0.18); }});
  out.push_back(
      {"piles/tori", "100 rings of 1,024 triangles dropped into a bin", {}, false, [](const SceneOptions& o) {
         return pile(o, 100, makeTorus(0.14, 0.06, 32, 16), 0.2);
       }});
  return out;
}

}  // namespace odemesh::sim
