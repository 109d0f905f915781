// Bodies on open, single-sided ground.
#include <algorithm>
#include <cmath>
#include <odemesh/sim/random.hpp>
#include <odemesh/sim/shapes.hpp>

#include "scenes/families.hpp"
#include "scenes/judge.hpp"
#include "scenes/meshes.hpp"
#include "scenes/watch.hpp"

namespace odemesh::sim {
namespace {

using Height = double (*)(double x, double y);

double wavy(double x, double y) {
  // The rim is raised so that nothing rolls off.
  return 0.2 * std::sin(1.6 * x) * std::cos(1.4 * y) + 0.03 * (x * x + y * y);
}

double bowlShaped(double x, double y) {
  return 0.12 * (x * x + y * y);
}

// A slope every 0.8 m, so steep that it is a step. Down to the middle: what rolls would leave at the foot of
// a stair.
double stepped(double x, double y) {
  const double steps = std::abs(x) / 0.8;
  const double part = steps - std::floor(steps);
  return 0.1 * (std::floor(steps) + std::min(1.0, part / 0.1)) + 0.03 * y * y;
}

double flat(double, double) {
  return 0;
}

constexpr double kSide = 8;
constexpr int kCells = 80;

TriangleMesh ground(Height height) {
  TriangleMesh mesh = makePlaneGrid(kSide, kSide, kCells, kCells);
  mesh.name = "terrain";
  for (Vec3& v : mesh.vertices) v.z = height(v.x, v.y);
  return mesh;
}

/// Height of the mesh itself: squares with a diagonal from their lower left to their upper right corner.
double groundAt(Height height, double x, double y) {
  const double cell = kSide / kCells;
  const double u = (x + kSide / 2) / cell, v = (y + kSide / 2) / cell;
  const double i = std::floor(u), j = std::floor(v), fu = u - i, fv = v - j;
  const auto corner = [&](double a, double b) { return height(a * cell - kSide / 2, b * cell - kSide / 2); };
  const double low = corner(i, j), high = corner(i + 1, j + 1);
  if (fu >= fv) return low + fu * (corner(i + 1, j) - low) + fv * (high - corner(i + 1, j));
  return low + fv * (corner(i, j + 1) - low) + fu * (high - corner(i, j + 1));
}

/// How far the lowest point of any body is below the ground at its place, by its vertices.
double depthBelow(const World& world, const SceneFrame& frame, Height height) {
  double deepest = 0;
  for (const std::size_t i : dynamicBodies(world)) {
    const Body& body = world.body(i);
    const auto& mesh = std::get<MeshGeometry>(body.parts()[0].geometry).mesh;
    for (const Vec3& v : mesh->mesh().vertices) {
      const Vec3 p = frame.point(body.partPose(0).apply(v + mesh->origin()));
      if (std::abs(p.x) < kSide / 2 && std::abs(p.y) < kSide / 2)
        deepest = std::max(deepest, groundAt(height, p.x, p.y) - p.z);
    }
  }
  return deepest;
}

SceneRun dropOn(const SceneOptions& options, Height height) {
  SceneBuilder builder(options);
  builder.fixed("terrain", builder.mesh(ground(height)));
  const Geometry shapes[] = {builder.mesh(makeBox({0.5, 0.4, 0.3}, 2)), builder.mesh(makeIcosphere(0.25, 2)),
                             builder.mesh(makeTorus(0.22, 0.08, 24, 12)), builder.mesh(jack(0.6, 0.14)),
                             builder.mesh(makeCylinder(0.2, 0.5, 24))};
  Random random(7);
  for (int i = 0; i < 15; ++i)
    builder.moving("body " + std::to_string(i), shapes[i % 5],
                   {1.1 * (i % 4 - 1.5), 1.1 * (i / 4 - 1.5), 1.4}, random.rotation());
  const SceneFrame frame = builder.frame();
  // Balls and rings roll on in hollows, so rest is not asked for.
  SceneRun run = judgedHolding(builder, options.quick ? 4 : 15, {.radius = 0.2, .speed = 2, .floor = -3});
  addFigures(run, [frame, height](World& w) {
    // A hundredth of the bodies' radius, as for overlaps.
    return std::vector<Figure>{
        {.name = "below ground", .value = depthBelow(w, frame, height) * 1e3, .limit = 2, .unit = "mm"}};
  });
  return run;
}

SceneRun restOnSheet(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("sheet", builder.mesh(ground(&flat)));
  builder.moving("box", builder.mesh(makeBox({1, 1, 1}, 3)), {0.03, 0.02, 0.5},
                 rotationAbout({0, 0, 1}, 0.3));
  return judgedStill(builder, options.quick ? 6 : 60);
}

SceneRun slideOnSheet(const SceneOptions& options) {
  WorldSettings settings;
  settings.surface.mu = 0;
  SceneBuilder builder(options, settings);
  builder.fixed("sheet", builder.mesh(ground(&flat)));
  const Body& box = builder.moving("box", builder.mesh(makeBox({0.5, 0.5, 0.4}, 1)), {-3, -0.5, 0.2},
                                   rotationAbout({0, 0, 1}, 0.2), {3, 0.5, 0});
  const SceneFrame frame = builder.frame();
  SceneRun run = builder.finish(1.5);
  const double start = std::hypot(3, 0.5);
  const auto hop = std::make_shared<double>(0);
  run.observe = [hop, &box, frame](const World&) {
    *hop = std::max(*hop, frame.point(box.centreOfMass()).z - 0.2);
  };
  run.judge = [hop, &box, frame, start](World&) {
    const Vec3 v = frame.vector(box.linearVelocity());
    return std::vector<Figure>{{.name = "speed lost",
                                .value = std::abs(1 - std::hypot(v.x, v.y) / start) * 100,
                                .limit = 0.5,
                                .unit = "%"},
                               {.name = "hop", .value = *hop * 1e3, .limit = 0.1, .unit = "mm"}};
  };
  return run;
}

// Thrown up against the back of a sheet: both sides are solid.
SceneRun backOfSheet(const SceneOptions& options) {
  WorldSettings settings;
  settings.gravity = {};
  settings.surface.restitution = 0.5;
  SceneBuilder builder(options, settings);
  builder.fixed("sheet", builder.mesh(ground(&flat)));
  builder.moving("box", builder.mesh(makeBox({0.5, 0.5, 0.5}, 1)), {-1, 0, -0.5},
                 rotationAbout({1, 2, 3}, 0.7), {0, 0, 2});
  builder.moving("ball", builder.mesh(makeIcosphere(0.25, 2)), {1, 0, -0.5}, {}, {0, 0, 2});
  const SceneFrame frame = builder.frame();
  SceneRun run = builder.finish(1);
  run.judge = [frame](World& w) {
    double highest = -10;
    for (const std::size_t i : dynamicBodies(w))
      highest = std::max(highest, frame.point(w.body(i).centreOfMass()).z);
    return std::vector<Figure>{{.name = "height", .value = highest, .limit = -0.3, .unit = "m"}};
  };
  return run;
}

}  // namespace

std::vector<Scene> terrainScenes() {
  const auto drop = [](Height height) {
    return [height](const SceneOptions& o) { return dropOn(o, height); };
  };
  return {{"terrain/wavy", "15 bodies dropped on an open wavy sheet", {}, false, drop(&wavy)},
          {"terrain/hollow", "15 bodies dropped into an open hollow", {}, false, drop(&bowlShaped)},
          {"terrain/stepped", "15 bodies dropped on open steps", {}, false, drop(&stepped)},
          {"terrain/rest", "a box at rest on an open sheet", {}, false, &restOnSheet},
          {"terrain/slide", "a box sliding over an open sheet without friction", {}, false, &slideOnSheet},
          {"terrain/back", "bodies thrown at the back of an open sheet", {}, false, &backOfSheet}};
}

}  // namespace odemesh::sim
