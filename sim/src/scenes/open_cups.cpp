// Cups of a single sheet, with bodies of any size in them, on them and under them.
#include <cmath>
#include <limits>
#include <numbers>
#include <odemesh/sim/shapes.hpp>

#include "scenes/families.hpp"
#include "scenes/watch.hpp"

namespace odemesh::sim {
namespace {

constexpr double kFloor = 0.15, kRim = 0.18, kHeight = 0.3;  // m: radii, height

/// Upright, with its floor at z = 0.
TriangleMesh sheetCup() {
  constexpr std::uint32_t kSegments = 24;
  TriangleMesh out{.name = "cup", .vertices = {{0, 0, 0}}, .triangles = {}};
  for (std::uint32_t i = 0; i < kSegments; ++i) {
    const double angle = 2 * std::numbers::pi * i / kSegments;
    const Vec3 way{std::cos(angle), std::sin(angle), 0};
    out.vertices.push_back(way * kFloor);
    out.vertices.push_back(way * kRim + Vec3{0, 0, kHeight});
  }
  for (std::uint32_t i = 0; i < kSegments; ++i) {
    const std::uint32_t low = 2 * i + 1, next = 2 * ((i + 1) % kSegments) + 1;
    out.triangles.insert(out.triangles.end(),
                         {{0, next, low}, {low, next, next + 1}, {low, next + 1, low + 1}});
  }
  return out;
}

/// Overlaps are not measured, since a sheet has no inside: bodies have to keep above where they lie in the
/// end, in metres, and come to rest.
SceneRun judgedCups(SceneBuilder& builder, double lowest) {
  const SceneFrame frame = builder.frame();
  SceneRun run = builder.finish(builder.options().quick ? 3 : 10);
  const auto energy = std::make_shared<EnergyWatch>(*run.world);
  const auto speed = std::make_shared<SpeedWatch>(frame, 0.7 * run.duration);
  const double fall = EnergyWatch::fallOfOneMetre(*run.world, frame);
  run.observe = [=](const World& w) {
    energy->observe(w);
    speed->observe(w);
  };
  run.judge = [=](World& w) {
    double height = std::numeric_limits<double>::infinity();
    for (const std::size_t i : dynamicBodies(w))
      height = std::min(height, frame.point(w.body(i).centreOfMass()).z);
    return std::vector<Figure>{
        {.name = "below its place", .value = (lowest - height) * 1e3, .limit = 1, .unit = "mm"},
        {.name = "energy gain", .value = energy->gain(fall) * 100, .limit = 0.1, .unit = "%"},
        {.name = "speed at the end", .value = speed->rms(), .limit = 5e-3, .unit = "m/s"}};
  };
  return run;
}

// Longer than the cup is wide and high; they fall in and lean on its rim.
SceneRun pens(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("cup", builder.mesh(sheetCup()));
  const Geometry pen = builder.mesh(makeBox({0.03, 0.03, 0.6}, 1));
  for (int i = 0; i < 3; ++i) {
    const double angle = 2 * std::numbers::pi * i / 3;
    const Vec3 way{std::cos(angle), std::sin(angle), 0};
    builder.moving("pen", pen, way * 0.08 + Vec3{0, 0, 0.33}, rotationAbout(cross({0, 0, 1}, way), 0.1));
  }
  return judgedCups(builder, kFloor);  // far from flat on the floor
}

SceneRun plankOnRim(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("cup", builder.mesh(sheetCup()));
  builder.moving("plank", builder.mesh(makeBox({1, 0.6, 0.1}, 1)), {0.01, 0.02, kHeight + 0.06});
  builder.moving("box", builder.mesh(makeBox({0.2, 0.2, 0.2}, 1)), {0, 0, kHeight + 0.22});
  return judgedCups(builder, kHeight + 0.05);
}

SceneRun coneInMouth(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("cup", builder.mesh(sheetCup()));
  builder.moving("cone", builder.mesh(makeCone(0.35, 0.4, 24)), {0.01, 0, 0.4},
                 rotationAbout({1, 0, 0}, std::numbers::pi));
  return judgedCups(builder, kHeight + 0.09);
}

SceneRun cupsInEachOther(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("slab", builder.mesh(makeBox({1, 1, 0.2}, 1)), {0, 0, -0.1});
  const Geometry cup = builder.mesh(sheetCup());
  for (int i = 0; i < 3; ++i) builder.moving("cup", cup, {0.003 * i, 0, 0.02 + 0.06 * i});
  return judgedCups(builder, 0.126);
}

SceneRun cupOnPost(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("post", builder.mesh(makeBox({0.1, 0.1, 1}, 1)), {0, 0, -0.5});
  builder.moving("cup", builder.mesh(sheetCup()), {0.01, 0, 0.05},
                 rotationAbout({1, 0, 0}, std::numbers::pi));
  return judgedCups(builder, -0.17);
}

}  // namespace

std::vector<Scene> openCupScenes() {
  return {
      {"cups/pens", "pens dropped into a cup of one sheet", {}, false, &pens},
      {"cups/plank", "a plank and a box dropped on the rim of a cup of one sheet", {}, false, &plankOnRim},
      {"cups/cone", "a cone dropped into the mouth of a cup of one sheet", {}, false, &coneInMouth},
      {"cups/stack", "three cups of one sheet dropped into each other", {}, false, &cupsInEachOther},
      {"cups/post", "a cup of one sheet dropped over a post", {}, false, &cupOnPost}};
}

}  // namespace odemesh::sim
