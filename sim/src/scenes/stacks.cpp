// Stacks that stand for a minute.
#include "scenes/families.hpp"
#include "scenes/judge.hpp"
#include "scenes/variants.hpp"

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
  return out;
}

}  // namespace odemesh::sim
