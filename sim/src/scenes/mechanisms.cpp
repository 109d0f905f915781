// Gears, a peg in a hole, a drawer, a gripper.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <odemesh/sim/shapes.hpp>

#include "scenes/families.hpp"
#include "scenes/judge.hpp"
#include "scenes/mesh_files.hpp"
#include "scenes/meshes.hpp"
#include "scenes/variants.hpp"
#include "scenes/watch.hpp"

namespace odemesh::sim {
namespace {

dReal real(double value) {
  return static_cast<dReal>(value);
}

// The file's gears have 12 teeth, their axis along y and a pitch radius of 1; they stand on hinges.
dJointID addHinge(SceneBuilder& builder, Body& body) {
  const dJointID hinge = builder.keep(dJointCreateHinge(builder.world().odeWorld(), nullptr));
  dJointAttach(hinge, body.odeBody(), nullptr);
  const Vec3 p = body.pose().translation;
  dJointSetHingeAnchor(hinge, real(p.x), real(p.y), real(p.z));
  dJointSetHingeAxis(hinge, 0, 1, 0);
  return hinge;
}

// The first gear turns at 1 rad/s; the second, braked, has to follow tooth by tooth.
SceneRun gears(const SceneOptions& options, const TriangleMesh& gear) {
  SceneBuilder builder(options);
  const Geometry geometry = builder.mesh(gear);
  Body& driver = builder.moving("driver", geometry, {});
  Body& driven =
      builder.moving("driven", geometry, {2.02, 0, 0}, rotationAbout({0, 1, 0}, std::numbers::pi / 12));
  const dJointID motor = addHinge(builder, driver), brake = addHinge(builder, driven);
  const double torque = driver.inertial().mass * options.scale * options.scale;
  dJointSetHingeParam(motor, dParamVel, -1);
  dJointSetHingeParam(motor, dParamFMax, real(100 * torque));
  dJointSetHingeParam(brake, dParamVel, 0);
  dJointSetHingeParam(brake, dParamFMax, real(0.5 * torque));
  SceneRun run = judgedHolding(builder, options.quick ? 4 : 20,
                               {.radius = 0.2,
                                .speed = std::numeric_limits<double>::infinity(),
                                .energy_percent = std::numeric_limits<double>::infinity()});
  struct Turned {
    double driver = 0, driven = 0, most = 0;
  };
  const auto turned = std::make_shared<Turned>();
  addFigures(
      run,
      [turned](World&) {
        return std::vector<Figure>{
            {.name = "slip", .value = turned->most * 180 / std::numbers::pi, .limit = 5, .unit = "deg"},
            {.name = "driver turned",
             .value = std::abs(turned->driver),
             .limit = 3,
             .unit = "rad",
             .bound = Figure::Bound::kAtLeast}};
      },
      [turned](const World& w) {
        turned->driver += w.body(0).angularVelocity().y * w.settings().dt;
        turned->driven += w.body(1).angularVelocity().y * w.settings().dt;
        turned->most = std::max(turned->most, std::abs(turned->driver + turned->driven));
      });
  return run;
}

// A square peg with a play of 2 mm slides to the ground through a plate 0.4 m thick.
SceneRun pegInHole(const SceneOptions& options) {
  WorldSettings settings;
  settings.surface.mu = 0.2;
  SceneBuilder builder(options, settings);
  const double hole = 0.102;
  builder.fixed("plate", builder.mesh(cellSolid({-0.5, -hole, hole, 0.5}, {-0.5, -hole, hole, 0.5}, {0, 0.4},
                                                [](int i, int j, int) { return i != 1 || j != 1; })));
  builder.fixed("ground", builder.mesh(makeBox({2, 2, 0.2})), {0, 0, -0.1});
  builder.moving("peg", builder.mesh(makeBox({0.2, 0.2, 0.6}, 2)), {0.0005, -0.0008, 0.6},
                 rotationAbout({0, 0, 1}, 0.004));
  const SceneFrame frame = builder.frame();
  SceneRun run = judgedHolding(builder, options.quick ? 3 : 10, {.radius = 0.1, .speed = 0.01});
  addFigures(run, [frame](World& w) {
    const Body& peg = w.body(2);
    return std::vector<Figure>{
        {.name = "off the ground",
         .value = std::abs(frame.point(peg.centreOfMass()).z - 0.3) * 1e3,
         .limit = 1,
         .unit = "mm"},
        {.name = "tilt",
         .value = std::acos(std::min(1.0, peg.pose().rotation.row[2].z)) * 180 / std::numbers::pi,
         .limit = 0.5,
         .unit = "deg"}};
  });
  return run;
}

dJointID addSlider(SceneBuilder& builder, Body& body) {
  const dJointID slider = builder.keep(dJointCreateSlider(builder.world().odeWorld(), nullptr));
  dJointAttach(slider, body.odeBody(), nullptr);
  dJointSetSliderAxis(slider, 1, 0, 0);
  return slider;
}

// Two jaws on slides press a cube of 8 kg with 150 N each.
SceneRun gripper(const SceneOptions& options) {
  SceneBuilder builder(options);
  const Geometry jaw = builder.box({0.1, 0.3, 0.3});
  Body& left = builder.moving("left jaw", jaw, {-0.15, 0, 0});
  Body& right = builder.moving("right jaw", jaw, {0.15, 0, 0});
  builder.moving("cube", builder.box({0.2, 0.2, 0.2}), {0, 0.01, 0.02});
  addSlider(builder, left);
  addSlider(builder, right);
  const SceneFrame frame = builder.frame();
  SceneRun run = builder.finish(options.quick ? 5 : 20);
  const double force = 150 * std::pow(options.scale, 4);  // mass by the cube, acceleration by the length
  run.drive = [force](World& w) {
    w.body(0).addForceAt({force, 0, 0}, w.body(0).centreOfMass());
    w.body(1).addForceAt({-force, 0, 0}, w.body(1).centreOfMass());
  };
  const auto drift = std::make_shared<DriftWatch>(*run.world, frame, std::vector<std::size_t>{2});
  run.observe = [drift](const World& w) { drift->observe(w); };
  run.judge = [drift](World&) {
    return std::vector<Figure>{
        {.name = "creep", .value = drift->drift() * 1e3, .limit = 0.1, .unit = "mm", .primitive_factor = 2},
        {.name = "turn", .value = drift->turnDegrees(), .limit = 0.1, .unit = "deg", .primitive_factor = 2}};
  };
  return run;
}

struct Board {
  Vec3 size, at;
};

// Closed boxes that touch and overlap each other, as a joiner or a script puts a part together.
TriangleMesh boarded(std::initializer_list<Board> boards) {
  TriangleMesh out;
  for (const Board& board : boards) append(out, makeBox(board.size), {{}, board.at});
  return out;
}

// A drawer with a play of 3 mm is pulled out of its cabinet by one and a half times its friction.
SceneRun drawer(const SceneOptions& options) {
  WorldSettings settings;
  settings.surface.mu = 0.2;
  SceneBuilder builder(options, settings);
  builder.fixed("cabinet", builder.mesh(boarded({{{1, 0.6, 0.05}, {0, 0, -0.025}},
                                                 {{1, 0.6, 0.05}, {0, 0, 0.225}},
                                                 {{1, 0.05, 0.3}, {0, -0.325, 0.1}},
                                                 {{1, 0.05, 0.3}, {0, 0.325, 0.1}},
                                                 {{0.05, 0.7, 0.3}, {-0.525, 0, 0.1}}})));
  builder.moving("drawer",
                 builder.mesh(boarded({{{0.98, 0.594, 0.02}, {0, 0, 0.01}},
                                       {{0.02, 0.594, 0.15}, {-0.48, 0, 0.095}},
                                       {{0.02, 0.594, 0.19}, {0.48, 0, 0.1}},
                                       {{0.94, 0.02, 0.15}, {0, -0.287, 0.095}},
                                       {{0.94, 0.02, 0.15}, {0, 0.287, 0.095}}})),
                 {});
  const SceneFrame frame = builder.frame();
  SceneRun run = judgedHolding(builder, 1,
                               {.radius = 0.1,
                                .speed = std::numeric_limits<double>::infinity(),
                                .energy_percent = std::numeric_limits<double>::infinity()});
  const double friction = 0.2 * 9.81;
  run.drive = [pull = 1.5 * friction * options.scale](World& w) {
    w.body(1).addForceAt({pull * w.body(1).inertial().mass, 0, 0}, w.body(1).centreOfMass());
  };
  addFigures(run, [frame, friction](World& w) {
    const Body& body = w.body(1);
    const double speed = 0.5 * friction * w.metrics().time;
    return std::vector<Figure>{{.name = "error of speed",
                                .value = std::abs(frame.length(body.linearVelocity().x) / speed - 1) * 100,
                                .limit = 1,
                                .unit = "%"},
                               {.name = "tilt",
                                .value = angleBetween(body.pose().rotation, {}) * 180 / std::numbers::pi,
                                .limit = 0.1,
                                .unit = "deg"}};
  });
  return run;
}

}  // namespace

std::vector<Scene> mechanismScenes() {
  std::vector<Scene> out;
  if (const auto gear = exampleMesh("gear.obj"))
    out.push_back({"mechanisms/gears",
                   "a gear driving another against a brake",
                   {},
                   false,
                   [gear = *gear](const SceneOptions& o) { return gears(o, gear); }});
  out.push_back({"mechanisms/peg", "a square peg sliding through a hole", {}, false, &pegInHole});
  out.push_back({"mechanisms/drawer", "a drawer of boards pulled out of its cabinet", {}, false, &drawer});
  const Scene grip{"mechanisms/gripper", "a cube held between two jaws by friction", {}, true, &gripper};
  appendCuts(out, grip);
  appendScales(out, grip);
  return out;
}

}  // namespace odemesh::sim
