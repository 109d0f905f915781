// One body at rest, at every way of cutting its faces, at every scale and far from the origin.
#include "scenes/families.hpp"
#include "scenes/variants.hpp"
#include "scenes/watch.hpp"

namespace odemesh::sim {
namespace {

// Rest is judged against the pose in which the faces touch exactly.
SceneRun judgedAtRest(SceneBuilder& builder) {
  SceneRun run = builder.finish(builder.options().quick ? 6 : 60);
  const World& world = *run.world;
  const auto drift = std::make_shared<DriftWatch>(world, builder.frame(), dynamicBodies(world), 1);
  const auto speed = std::make_shared<SpeedWatch>(builder.frame(), 2);
  run.observe = [drift, speed](const World& w) { drift->observe(w), speed->observe(w); };
  run.judge = [drift, speed](World&) {
    return std::vector<Figure>{
        {.name = "drift", .value = drift->drift() * 1e3, .limit = 0.1, .unit = "mm", .primitive_factor = 2},
        {.name = "turn", .value = drift->turnDegrees(), .limit = 0.01, .unit = "deg", .primitive_factor = 2},
        {.name = "rms speed", .value = speed->rms(), .limit = 1e-4, .unit = "m/s"}};
  };
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
  const Scene turned{"rest/turned", "a box on a slab, turned and off its middle", {}, true, &turnedBoxOnSlab};
  appendCuts(out, turned);
  const Scene plane{"rest/plane", "a box on ODE's plane", {}, true, &boxOnPlane};
  appendCuts(out, plane);
  appendContactLimits(out, plane);
  out.push_back({"rest/plate", "a plate of 1 x 1 x 0.02 m on a slab", {}, true, &thinPlate});
  return out;
}

}  // namespace odemesh::sim
