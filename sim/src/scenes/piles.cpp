// Many bodies at once: in bowls and bins.
#include <odemesh/sim/random.hpp>
#include <odemesh/sim/shapes.hpp>

#include "scenes/families.hpp"
#include "scenes/judge.hpp"
#include "scenes/meshes.hpp"

namespace odemesh::sim {
namespace {

SceneRun ballInBowl(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("bowl", builder.mesh(makeBowl(1, 0.15, 48, 12)));
  // Nothing slows a rolling ball down, so its speed at the end is not that of rest.
  builder.moving("ball", builder.mesh(makeIcosphere(0.3, 3)), {0.35, 0.1, 0.7});
  return judgedHolding(builder, options.quick ? 6 : 20, {.radius = 0.3, .speed = 2, .floor = -0.01});
}

SceneRun jacksInBowl(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.bowlWith("jack", builder.mesh(jack(0.4, 0.08)),
                   {.count = 12, .spread = 0.3, .lowest = 0.6, .step = 0.35, .seed = 3});
  return judgedHolding(builder, options.quick ? 5 : 15, {.radius = 0.2, .floor = 0});
}

SceneRun pile(const SceneOptions& options, int count, const TriangleMesh& shape, double radius) {
  SceneBuilder builder(options);
  builder.fixed("bin", builder.mesh(bin({1.6, 1.6, 2.5}, 0.3)));
  const Geometry geometry = builder.mesh(shape);
  Random random(11);
  for (int i = 0; i < count; ++i) {
    const int column = i % 16, row = column / 4, layer = i / 16;
    builder.moving("body " + std::to_string(i), geometry,
                   {0.4 * (column % 4 - 1.5) + random.uniform(-0.01, 0.01),
                    0.4 * (row - 1.5) + random.uniform(-0.01, 0.01), 0.3 + 0.4 * layer},
                   random.rotation());
  }
  // The last ones come to rest in the fourth second.
  return judgedHolding(builder, options.quick ? 4 : 8, {.radius = radius, .floor = 0});
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
