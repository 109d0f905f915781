// The hard geometry of Erleben, "Methodology for assessing mesh-based contact point methods" (2018): spikes,
// wedges, cracks, holes and cliffs. And sheets that move or are met edge-on.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <odemesh/sim/shapes.hpp>

#include "scenes/families.hpp"
#include "scenes/judge.hpp"
#include "scenes/meshes.hpp"
#include "scenes/overlap.hpp"
#include "scenes/variants.hpp"

namespace odemesh::sim {
namespace {

/// Judges by what holds at the end, and by the greatest overlap seen on the way, at every tenth step.
SceneRun judgedSharp(SceneBuilder& builder, double duration, const HoldLimits& limits) {
  const SceneFrame frame = builder.frame();
  SceneRun run = judgedHolding(builder, duration, limits);
  const auto deepest = std::make_shared<double>(0);
  addFigures(
      run,
      [deepest, limits](World&) {
        return std::vector<Figure>{{.name = "greatest overlap",
                                    .value = *deepest / limits.radius * 100,
                                    .limit = 10,
                                    .unit = "% of radius"}};
      },
      [deepest, frame](const World& w) {
        if (w.metrics().step % 10 == 0) *deepest = std::max(*deepest, frame.length(greatestOverlap(w)));
      });
  return run;
}

const Mat3 kUpsideDown = rotationAbout({1, 0, 0}, std::numbers::pi);
constexpr double kAnySpeed = std::numeric_limits<double>::infinity();

SceneRun spikeOnSlab(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("slab", builder.mesh(makeBox({3, 3, 0.5}, 3)), {0, 0, -0.25});
  builder.moving("spike", builder.mesh(makeCone(0.2, 0.8, 16)), {0.05, 0.02, 0.6}, kUpsideDown);
  return judgedSharp(builder, options.quick ? 4 : 10, {.radius = 0.2, .speed = kAnySpeed, .floor = 0});
}

SceneRun spikeOnSpike(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("slab", builder.mesh(makeBox({3, 3, 0.5}, 3)), {0, 0, -0.25});
  const Geometry cone = builder.mesh(makeCone(0.2, 0.8, 16));
  builder.fixed("lower", cone, {0, 0, 0.4});
  builder.moving("upper", cone, {0.01, 0.004, 1.3}, kUpsideDown);
  return judgedSharp(builder, options.quick ? 4 : 10, {.radius = 0.2, .speed = kAnySpeed, .floor = 0});
}

// A wedge falls into a crack a little wider than it.
SceneRun wedgeInCrack(const SceneOptions& options) {
  SceneBuilder builder(options);
  const Mat3 upright = rotationAbout({1, 0, 0}, std::numbers::pi / 2);
  const TriangleMesh block =
      extruded({{-1, -0.2}, {1, -0.2}, {1, 0.6}, {0.12, 0.6}, {0, 0}, {-0.12, 0.6}, {-1, 0.6}}, 1);
  builder.fixed("block", builder.mesh(block), {}, upright);
  builder.moving("wedge", builder.mesh(extruded({{0, 0}, {0.1, 0.6}, {-0.1, 0.6}}, 0.6)), {0.004, 0, 0.15},
                 upright);
  return judgedSharp(builder, options.quick ? 4 : 10, {.radius = 0.1, .speed = 1e-3, .floor = -0.05});
}

// Wedges of several widths, turned and off the middle, each in a crack as steep as itself or wider. None may
// be thrown: falling to the bottom is all that they do.
SceneRun wedgesInCracks(const SceneOptions& options) {
  SceneBuilder builder(options);
  const Mat3 upright = rotationAbout({1, 0, 0}, std::numbers::pi / 2);
  constexpr double kFits[] = {1, 1, 0.9, 0.8, 0.6};
  for (int i = 0; i < std::ssize(kFits); ++i) {
    const double half = 0.07 + 0.04 * i, x = 2.5 * i, tilt = 0.03 - 0.012 * i;
    const TriangleMesh block =
        extruded({{-1, -0.2}, {1, -0.2}, {1, 0.6}, {half, 0.6}, {0, 0}, {-half, 0.6}, {-1, 0.6}}, 1);
    builder.fixed("block", builder.mesh(block), {x, 0, 0}, upright);
    const double top = 0.8 * half * kFits[i];
    builder.moving("wedge", builder.mesh(extruded({{0, 0}, {top, 0.48}, {-top, 0.48}}, 0.6)),
                   {x + 0.004, 0.05, 0.1 + 0.02 * i},
                   rotationAbout({0, 0, 1}, tilt) * rotationAbout({0, 1, 0}, -tilt) * upright);
  }
  const SceneFrame frame = builder.frame();
  // What jams at the impact takes some seconds to work itself out.
  SceneRun run = judgedSharp(builder, 10, {.radius = 0.1, .speed = 2e-3, .floor = -0.05});
  const auto fastest = std::make_shared<double>(0);
  addFigures(
      run,
      [fastest](World&) {
        return std::vector<Figure>{{.name = "speed", .value = *fastest, .limit = 3, .unit = "m/s"}};
      },
      [fastest, frame](const World& w) {
        *fastest = std::max(*fastest, frame.length(w.metrics().greatest_speed));
      });
  return run;
}

// The wedge is wider than the crack and sticks.
SceneRun wedgeStuck(const SceneOptions& options) {
  SceneBuilder builder(options);
  const Mat3 upright = rotationAbout({1, 0, 0}, std::numbers::pi / 2);
  const TriangleMesh block = extruded(
      {{-1, -0.2}, {1, -0.2}, {1, 0.6}, {0.05, 0.6}, {0.05, 0}, {-0.05, 0}, {-0.05, 0.6}, {-1, 0.6}}, 1);
  builder.fixed("block", builder.mesh(block), {}, upright);
  builder.moving("wedge", builder.mesh(extruded({{0, 0}, {0.2, 0.6}, {-0.2, 0.6}}, 0.6)), {0.003, 0, 0.5},
                 upright);
  return judgedSharp(builder, options.quick ? 4 : 10, {.radius = 0.1, .floor = 0.4});
}

// A cone in a square hole that it does not go through.
SceneRun spikeInHole(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("plate", builder.mesh(cellSolid({-0.6, -0.1, 0.1, 0.6}, {-0.6, -0.1, 0.1, 0.6}, {0, 0.3},
                                                [](int i, int j, int) { return i != 1 || j != 1; })));
  builder.moving("spike", builder.mesh(makeCone(0.3, 0.9, 24)), {0.004, 0.003, 0.55}, kUpsideDown);
  return judgedSharp(builder, options.quick ? 4 : 10, {.radius = 0.1, .floor = 0.2});
}

// Four cones whose bases share their middle.
TriangleMesh caltrop(double reach, double radius) {
  const TriangleMesh cone = makeCone(radius, reach, 7);
  TriangleMesh out;
  for (const Vec3& tip : {Vec3{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}}) {
    const Mat3 turned = rotationAbout(cross({0, 0, 1}, tip), std::acos(normalised(tip).z));
    append(out, cone, {turned, turned * Vec3{0, 0, reach / 2}});
  }
  for (Vec3& v : out.vertices)
    if (length(v) < 1e-6) v = {};
  return out;
}

SceneRun caltropsInBowl(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.bowlWith("caltrop", builder.mesh(caltrop(0.25, 0.05)),
                   {.count = 8, .spread = 0.3, .lowest = 0.6, .step = 0.4, .seed = 7});
  return judgedSharp(builder, options.quick ? 4 : 10, {.radius = 0.05, .floor = 0});
}

// Two fifths of the box reach over the edge.
SceneRun cliff(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("slab", builder.box({3, 3, 0.5}), {-1.5, 0, -0.25});
  builder.moving("box", builder.box({1, 1, 1}), {-0.1, 0.02, 0.5});
  return judgedStill(builder, options.quick ? 6 : 60, {.primitive_factor = 2});
}

/// A sheet of 1 x 0.6 m without thickness that moves like a plate of 5 mm.
void addSheet(SceneBuilder& builder, const Vec3& position, const Mat3& rotation) {
  BodySpec spec;
  spec.name = "sheet";
  spec.parts = {{builder.mesh(makePlaneGrid(1, 0.6, 4, 4))}};
  spec.pose = {rotation, position};
  spec.inertial = solidInertial(BoxGeometry{Vec3{1, 0.6, 0.005} * builder.options().scale}, 1000);
  builder.add(std::move(spec));
}

double lowestOf(const World& world, std::size_t body, const SceneFrame& frame) {
  return frame.length(-world.body(body).support({0, 0, -1}) - frame.offset.z);
}

// Let fall on a slab, at an angle at which an edge or a corner comes first.
SceneRun fallingSheet(const SceneOptions& options, const Mat3& rotation) {
  SceneBuilder builder(options);
  builder.fixed("slab", builder.mesh(makeBox({4, 4, 0.5}, 3)), {0, 0, -0.25});
  addSheet(builder, {0, 0, 0.8}, rotation);
  const SceneFrame frame = builder.frame();
  SceneRun run = judgedHolding(builder, options.quick ? 4 : 10, {.radius = 0.3, .speed = 0.05});
  const auto lowest = std::make_shared<double>(0);
  addFigures(
      run,
      [lowest](World&) {
        return std::vector<Figure>{
            {.name = "below the slab", .value = -*lowest * 1e3, .limit = 30, .unit = "mm"}};
      },
      [lowest, frame](const World& w) { *lowest = std::min(*lowest, lowestOf(w, 1, frame)); });
  return run;
}

// Cups with walls of 4 mm, 20 mm apart in each other, leaning a little as they land.
SceneRun droppedCups(const SceneOptions& options) {
  WorldSettings settings;
  settings.surface.restitution = 0.5;
  SceneBuilder builder(options, settings);
  builder.fixed("slab", builder.mesh(makeBox({4, 4, 0.5}, 3)), {0, 0, -0.25});
  const Geometry geometry =
      builder.mesh(cup({.bottom = 0.15, .rim = 0.25, .height = 0.5, .wall = 0.004}, 24));
  const Mat3 lean = rotationAbout({1, 0.3, 0}, 0.3);
  const Vec3 lowest{0, 0, 0.35}, step{0, 0, 0.041};
  for (int i = 0; i < 4; ++i) builder.moving("cup", geometry, lowest + lean * step * i, lean);
  return judgedHolding(builder, options.quick ? 3 : 8, {.radius = 0.2, .speed = kAnySpeed, .floor = 0});
}

// A box falls on the upper edge of a standing sheet.
SceneRun blade(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("blade", builder.mesh(makePlaneGrid(2, 1, 8, 4)), {0, 0, 0},
                rotationAbout({1, 0, 0}, std::numbers::pi / 2));
  builder.fixed("slab", builder.mesh(makeBox({4, 4, 0.5}, 3)), {0, 0, -0.75});
  builder.moving("box", builder.mesh(makeBox({0.5, 0.5, 0.5}, 1)), {0.1, 0.05, 0.8});
  return judgedSharp(builder, options.quick ? 3 : 8, {.radius = 0.25, .speed = kAnySpeed});
}

// A ball rolls against a standing sheet.
SceneRun sheetWall(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("wall", builder.mesh(makePlaneGrid(2, 2, 3, 3)), {0, 0, 1},
                rotationAbout({0, 1, 0}, std::numbers::pi / 2));
  builder.fixed("slab", builder.mesh(makeBox({6, 4, 0.5}, 3)), {0, 0, -0.25});
  builder.moving("box", builder.mesh(makeBox({0.4, 0.4, 0.4}, 1)), {-1, 0.3, 0.2}, {}, {3.5, 0, 0});
  builder.moving("ball", builder.mesh(makeIcosphere(0.2, 3)), {1, -0.3, 0.2}, {}, {-2, 0, 0});
  const SceneFrame frame = builder.frame();
  SceneRun run =
      judgedHolding(builder, options.quick ? 3 : 8, {.radius = 0.2, .speed = kAnySpeed, .floor = 0});
  addFigures(run, [frame](World& w) {
    const double box = frame.point(w.body(2).centreOfMass()).x,
                 ball = frame.point(w.body(3).centreOfMass()).x;
    return std::vector<Figure>{{.name = "box past the wall", .value = box, .limit = -0.19, .unit = "m"},
                               {.name = "ball past the wall", .value = -ball, .limit = -0.18, .unit = "m"}};
  });
  return run;
}

}  // namespace

std::vector<Scene> degenerateScenes() {
  const auto sheet = [](const Mat3& rotation) {
    return [rotation](const SceneOptions& o) { return fallingSheet(o, rotation); };
  };
  std::vector<Scene> out = {
      {"sharp/spike", "a spike dropped on a slab", {}, false, &spikeOnSlab},
      {"sharp/spikes", "a spike dropped on a spike", {}, false, &spikeOnSpike},
      {"sharp/crack", "a wedge in a crack that fits it", {}, false, &wedgeInCrack},
      {"sharp/cracks", "wedges, turned, in cracks of several widths", {}, false, &wedgesInCracks},
      {"sharp/stuck-wedge", "a wedge in a crack too narrow for it", {}, false, &wedgeStuck},
      {"sharp/hole", "a spike in a hole", {}, false, &spikeInHole},
      {"sharp/caltrops", "eight caltrops dropped into a bowl", {}, false, &caltropsInBowl},
      {"sharp/cups", "four thin cups in each other, dropped", {}, false, &droppedCups},
      {"sheets/flat", "a sheet dropped flat on a slab", {}, false, sheet({})},
      {"sheets/edge", "a sheet dropped on its edge", {}, false, sheet(rotationAbout({1, 0, 0}, 1.45))},
      {"sheets/corner", "a sheet dropped on its corner", {}, false, sheet(rotationAbout({1, 0.7, 0}, 0.9))},
      {"sheets/blade", "a box dropped on the edge of a sheet", {}, false, &blade},
      {"sheets/wall", "a box and a ball against both sides of a sheet", {}, false, &sheetWall}};
  // What friction jams in a crack stays in the walls by what QuickStep left undone at the impact.
  for (const char* name : {"sharp/crack", "sharp/cracks"}) {
    const Scene quick = *std::ranges::find(out, name, &Scene::name);
    appendExactSolver(out, quick);
  }
  appendCuts(out, {"sharp/cliff", "a box two fifths over an edge", {}, true, &cliff});
  return out;
}

}  // namespace odemesh::sim
