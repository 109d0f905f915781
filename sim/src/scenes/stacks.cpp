// Stacks that stand for a minute, and a table with a load.
#include <odemesh/sim/shapes.hpp>

#include "scenes/families.hpp"
#include "scenes/judge.hpp"
#include "scenes/meshes.hpp"
#include "scenes/variants.hpp"
#include "scenes/watch.hpp"

namespace odemesh::sim {
namespace {

/// `limit_mm` is for stacks that have no primitives to be compared with.
SceneRun judgedStanding(SceneBuilder& builder, double limit_mm = 0.1) {
  return judgedStill(builder, builder.options().quick ? 10 : 60,
                     {.drift = limit_mm, .turn = 0.5, .primitive_factor = 2});
}

void addSlab(SceneBuilder& builder) {
  builder.fixed("slab", builder.box({4, 4, 0.5}), {0, 0, -0.25});
}

SceneRun stack(const SceneOptions& options, int height, double twist) {
  SceneBuilder builder(options);
  addSlab(builder);
  const Geometry box = builder.box({1, 1, 1});
  for (int i = 0; i < height; ++i)
    builder.moving("box " + std::to_string(i), box, {0, 0, 0.5 + i}, rotationAbout({0, 0, 1}, twist * i));
  return judgedStanding(builder);
}

Scene stackOf(int height) {
  const std::string number = std::to_string(height);
  return {"stacks/" + number,
          number + " boxes of 1 m on a slab",
          {},
          true,
          [height](const SceneOptions& options) { return stack(options, height, 0); }};
}

SceneRun twisted(const SceneOptions& options) {
  return stack(options, 5, 0.26);
}

// Rows of whole bricks, every other one shifted by half a brick and a brick shorter.
SceneRun brickWall(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("slab", builder.box({6, 2, 0.5}), {0, 0, -0.25});
  const Vec3 size{1, 0.5, 0.4};
  const Geometry brick = builder.box(size);
  for (int row = 0; row < 6; ++row) {
    const int count = 4 - row % 2;
    for (int i = 0; i < count; ++i)
      builder.moving("brick " + std::to_string(row) + "." + std::to_string(i), brick,
                     {1.01 * size.x * (i - 0.5 * (count - 1)), 0, size.z * (0.5 + row)});
  }
  return judgedStanding(builder);
}

SceneRun pyramid(const SceneOptions& options) {
  SceneBuilder builder(options);
  addSlab(builder);
  const Geometry box = builder.box({0.5, 0.5, 0.5});
  for (int row = 0; row < 5; ++row)
    for (int i = 0; i < 5 - row; ++i)
      builder.moving("box " + std::to_string(row) + "." + std::to_string(i), box,
                     {0.6 * (i - 0.5 * (4 - row)), 0, 0.25 + 0.5 * row});
  return judgedStanding(builder);
}

TriangleMesh table() {
  TriangleMesh out = transformed(makeBox({1.2, 0.8, 0.04}), {{}, {0, 0, 0.72}});
  for (const double x : {-0.55, 0.55})
    for (const double y : {-0.35, 0.35}) append(out, makeBox({0.06, 0.06, 0.72}), {{}, {x, y, 0.35}});
  return out;
}

// Five cubes of 27 kg stand off the middle of a table of four legs, which does not shake.
SceneRun loadedTable(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("floor", builder.mesh(makeBox({6, 6, 0.5}, 3)), {0, 0, -0.25});
  builder.moving("table", builder.mesh(table()), {0, 0, 0.01});
  const Geometry cube = builder.mesh(makeBox({0.3, 0.3, 0.3}));
  for (int i = 0; i < 5; ++i)
    builder.moving("cube " + std::to_string(i), cube, {0.35, 0.2, 0.905 + 0.305 * i});
  const SceneFrame frame = builder.frame();
  SceneRun run = builder.finish(options.quick ? 8 : 30);
  const auto speed = std::make_shared<SpeedWatch>(frame, 2);
  run.observe = [speed](const World& w) { speed->observe(w); };
  run.judge = [speed](World&) {
    return std::vector<Figure>{{.name = "rms speed", .value = speed->rms(), .limit = 0.02, .unit = "m/s"}};
  };
  return run;
}

}  // namespace

std::vector<Scene> stackScenes() {
  std::vector<Scene> out;
  appendCuts(out, stackOf(2));
  appendCuts(out, stackOf(5));
  appendContactLimits(out, stackOf(5));
  appendScales(out, stackOf(5));
  appendAskew(out, stackOf(5));
  out.push_back(stackOf(10));
  const Scene twisted_stack{"stacks/twisted", "five boxes, each turned by 15 degrees", {}, true, &twisted};
  appendCuts(out, twisted_stack);
  appendContactLimits(out, twisted_stack);
  appendCuts(out, {"stacks/wall", "a wall of 21 bricks", {}, true, &brickWall});
  out.push_back({"stacks/pyramid", "a flat pyramid of 15 boxes", {}, true, &pyramid});
  const Scene on_table{
      "stacks/table", "five cubes off the middle of a table of four legs", {}, false, &loadedTable};
  out.push_back(on_table);
  appendCoarseStep(out, on_table);
  return out;
}

}  // namespace odemesh::sim
