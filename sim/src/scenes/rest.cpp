// One body at rest, at every way of cutting its faces, at every scale and far from the origin.
#include "scenes/families.hpp"
#include "scenes/judge.hpp"
#include "scenes/variants.hpp"
#include "scenes/watch.hpp"

namespace odemesh::sim {
namespace {

// Rest is judged against the pose in which the faces touch exactly.
SceneRun judgedAtRest(SceneBuilder& builder) {
  SceneRun run = judgedStill(builder, builder.options().quick ? 6 : 60, {.primitive_factor = 2});
  const auto speed = std::make_shared<SpeedWatch>(builder.frame(), 2);
  addFigures(
      run,
      [speed](World&) {
        return std::vector<Figure>{
            {.name = "rms speed", .value = speed->rms(), .limit = 1e-4, .unit = "m/s"}};
      },
      [speed](const World& w) { speed->observe(w); });
  return run;
}

SceneRun boxOnSlab(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("slab", builder.box({3, 3, 0.5}), {0, 0, -0.25});
  builder.moving("box", builder.box({1, 1, 1}), {0, 0, 0.5});
  return judgedAtRest(builder);
}

SceneRun turnedBoxOnSlab(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("slab", builder.box({3, 3, 0.5}), {0, 0, -0.25});
  builder.moving("box", builder.box({1, 1, 1}), {0.13, -0.21, 0.5}, rotationAbout({0, 0, 1}, 0.37));
  return judgedAtRest(builder);
}

SceneRun boxOnPlane(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("ground", SceneBuilder::plane());
  builder.moving("box", builder.box({1, 1, 1}), {0, 0, 0.5});
  return judgedAtRest(builder);
}

SceneRun thinPlate(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("slab", builder.box({3, 3, 0.5}), {0, 0, -0.25});
  builder.moving("plate", builder.box({1, 1, 0.02}), {0.1, 0.05, 0.01}, rotationAbout({0, 0, 1}, 0.3));
  return judgedAtRest(builder);
}

}  // namespace

std::vector<Scene> restScenes() {
  std::vector<Scene> out;
  const Scene slab{"rest/box", "a box on a slab", {}, true, &boxOnSlab};
  appendCuts(out, slab);
  appendContactLimits(out, slab);
  appendScales(out, slab);
  appendAskew(out, slab);
  const Scene turned{"rest/turned", "a box on a slab, turned and off its middle", {}, true, &turnedBoxOnSlab};
  appendCuts(out, turned);
  const Scene plane{"rest/plane", "a box on ODE's plane", {}, true, &boxOnPlane};
  appendCuts(out, plane);
  appendContactLimits(out, plane);
  out.push_back({"rest/plate", "a plate of 1 x 1 x 0.02 m on a slab", {}, true, &thinPlate});
  return out;
}

}  // namespace odemesh::sim
