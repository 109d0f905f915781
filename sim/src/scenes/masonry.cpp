// Arches, houses of cards, dominoes.
#include <algorithm>
#include <cmath>
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

SceneRun judgedDrift(SceneBuilder& builder, double duration, double limit_mm) {
  const SceneFrame frame = builder.frame();
  SceneRun run = builder.finish(duration);
  const auto drift = std::make_shared<DriftWatch>(*run.world, frame, dynamicBodies(*run.world));
  run.observe = [drift](const World& w) { drift->observe(w); };
  run.judge = [drift, limit_mm](World&) {
    return std::vector<Figure>{{.name = "drift",
                                .value = drift->drift() * 1e3,
                                .limit = limit_mm,
                                .unit = "mm",
                                .primitive_factor = 2},
                               {.name = "sink",
                                .value = drift->sink() * 1e3,
                                .limit = limit_mm,
                                .unit = "mm",
                                .primitive_factor = 2}};
  };
  return run;
}

WorldSettings rough(double mu) {
  WorldSettings settings;
  settings.surface.mu = mu;
  return settings;
}

/// What the stones of an arch are pressed into each other at the start: ODE keeps their vertices as floats,
/// and between stones that touch but for rounding there may be gaps. An arch that falls by a step's gravity
/// first is thrust apart.
constexpr double kPressed = 1e-6;

// Half a ring of stones on a slab. QuickStep's iterations have to grow with the square of their number.
SceneRun arch(const SceneOptions& options, int stones, double outer, double limit_mm) {
  SceneBuilder builder(options, rough(0.8));
  builder.fixed("slab", builder.mesh(makeBox({5, 3, 0.5}, 3)), {0, 0, -0.25});
  for (int i = 0; i < stones; ++i) {
    const double from = std::numbers::pi * i / stones - kPressed;
    const double to = std::numbers::pi * (i + 1) / stones + kPressed;
    builder.moving("stone " + std::to_string(i), builder.mesh(archStone(1, outer, from, to, 0.5)), {});
  }
  return judgedDrift(builder, options.quick ? (stones > 7 ? 2 : 5) : 20, limit_mm);
}

// QuickStep lets a house of boxes fall after some seconds, too; meshes have to stand nearly as long.
SceneRun judgedStanding(SceneBuilder& builder, double duration) {
  const SceneFrame frame = builder.frame();
  SceneRun run = builder.finish(duration);
  const auto drift = std::make_shared<DriftWatch>(*run.world, frame, dynamicBodies(*run.world));
  const auto stood = std::make_shared<double>(0);
  run.observe = [drift, stood](const World& w) {
    drift->observe(w);
    if (drift->drift() < 0.05) *stood = w.metrics().time;
  };
  run.judge = [stood, duration](World&) {
    return std::vector<Figure>{{.name = "stood",
                                .value = *stood,
                                .limit = 0.999 * duration,
                                .unit = "s",
                                .bound = Figure::Bound::kAtLeast,
                                .primitive_factor = 0.8}};
  };
  return run;
}

struct CardSize {
  double length = 0.9, width = 0.6, thickness = 0.02, lean = 0.35;
  [[nodiscard]] double height() const { return std::cos(lean) * length + std::sin(lean) * thickness; }
};

/// Places a card of `geometry` (flat in its x-y plane) with what a thin plate of its mass has as inertia.
void addCard(SceneBuilder& builder, const std::string& name, const Geometry& geometry, const Vec3& position,
             const Mat3& rotation, const CardSize& size) {
  BodySpec spec;
  spec.name = name;
  spec.parts = {{geometry}};
  spec.pose = {rotation, position};
  const Vec3 plate = Vec3{size.length, size.width, std::max(size.thickness, 0.005)} * builder.options().scale;
  spec.inertial = solidInertial(BoxGeometry{plate}, 1000);
  builder.add(std::move(spec));
}

// Two cards that lean against each other; their upper inner edges meet above `x`.
void addPair(SceneBuilder& builder, const std::string& name, const Geometry& card, double x, double z,
             const CardSize& size) {
  for (const double side : {-1.0, 1.0}) {
    const double cx = std::sin(size.lean) * size.length / 2 + std::cos(size.lean) * size.thickness / 2;
    const Mat3 rotation = rotationAbout({0, 1, 0}, side * (std::numbers::pi / 2 - size.lean));
    addCard(builder, name + (side < 0 ? " left" : " right"), card, {x + side * cx, 0, z + size.height() / 2},
            rotation, size);
  }
}

SceneRun cardHouse(const SceneOptions& options, const Geometry& card, SceneBuilder& builder,
                   const CardSize& size) {
  builder.fixed("table", builder.box({5, 3, 0.5}), {0, 0, -0.25});
  const double half = std::sin(size.lean) * size.length + 2 * size.thickness;
  addPair(builder, "west", card, -half, 0, size);
  addPair(builder, "east", card, half, 0, size);
  CardSize roof = size;
  roof.length = 2 * half + 0.3;
  Geometry deck = size.thickness > 0 ? builder.box({roof.length, size.width, size.thickness})
                                     : builder.mesh(makePlaneGrid(roof.length, size.width, 2, 2));
  addCard(builder, "roof", deck, {0, 0, size.height() + size.thickness / 2}, {}, roof);
  addPair(builder, "top", card, 0, size.height() + size.thickness, size);
  return judgedStanding(builder, options.quick ? 5 : 20);
}

SceneRun boxCards(const SceneOptions& options) {
  SceneBuilder builder(options, rough(0.8));
  const CardSize size;
  return cardHouse(options, builder.box({size.length, size.width, size.thickness}), builder, size);
}

SceneRun sheetCards(const SceneOptions& options) {
  SceneBuilder builder(options, rough(0.8));
  CardSize size;
  size.thickness = 0;
  return cardHouse(options, builder.mesh(makePlaneGrid(size.length, size.width, 2, 2)), builder, size);
}

SceneRun dominoes(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("table", builder.box({8, 2, 0.5}), {2.5, 0, -0.25});
  const Geometry piece = builder.box({0.1, 0.5, 1});
  for (int i = 0; i < 10; ++i)
    builder.moving("piece " + std::to_string(i), piece, {0.5 * i, 0, 0.5}, {},
                   i == 0 ? Vec3{0.6, 0, 0} : Vec3{}, i == 0 ? Vec3{0, 1.2, 0} : Vec3{});

  SceneRun run = judgedHolding(builder, options.quick ? 5 : 8, {.radius = 0.25, .speed = 0.1});
  addFigures(run, [](World& w) {
    int fallen = 0;
    for (const std::size_t i : dynamicBodies(w)) fallen += w.body(i).pose().rotation.row[2].z < 0.8 ? 1 : 0;
    return std::vector<Figure>{{.name = "pieces down",
                                .value = static_cast<double>(fallen),
                                .limit = 10,
                                .unit = "",
                                .bound = Figure::Bound::kAtLeast}};
  });
  return run;
}

// The parts rest on each other, or are let fall 0.3 m apart as in the report.
SceneRun reportedStack(const SceneOptions& options, const TriangleMesh& part, bool on_plane, double spacing) {
  SceneBuilder builder(options);
  if (on_plane)
    builder.fixed("ground", SceneBuilder::plane());
  else
    builder.fixed("slab", builder.mesh(makeBox({2, 2, 0.5}, 3)), {0, 0, -0.25});
  const Geometry geometry = builder.mesh(part);
  for (int i = 0; i < 5; ++i) {
    BodySpec spec;
    spec.name = "part " + std::to_string(i);
    spec.parts = {{geometry}};
    spec.pose.translation = {0, 0, 0.125 + spacing * i};
    spec.mass = options.scale * options.scale * options.scale;
    builder.add(std::move(spec));
  }
  const SceneFrame frame = builder.frame();
  SceneRun run = builder.finish(options.quick ? 8 : 60);
  const auto drift = std::make_shared<SettledDrift>(frame, 3);
  run.observe = [drift](const World& w) { drift->observe(w); };
  run.judge = [drift](World&) {
    return std::vector<Figure>{
        {.name = "lean at 3 s", .value = drift->firstTilt(), .limit = 1, .unit = "deg"},
        {.name = "drift after 3 s", .value = drift->drift() * 1e3, .limit = 1, .unit = "mm"},
        {.name = "height of the top",
         .value = drift->topHeight(),
         .limit = 1.1,
         .unit = "m",
         .bound = Figure::Bound::kAtLeast}};
  };
  return run;
}

}  // namespace

std::vector<Scene> masonryScenes() {
  std::vector<Scene> out;
  const Scene seven{"masonry/arch-7", "an arch of 7 stones", {}, false, [](const SceneOptions& o) {
                      return arch(o, 7, 1.4, 5);
                    }};
  out.push_back(seven);
  appendScales(out, seven);
  appendAskew(out, seven);
  appendExactSolver(out, seven);
  Scene some{"masonry/arch-31", "an arch of 31 stones, 500 iterations", {}, false, [](const SceneOptions& o) {
               return arch(o, 31, 1.5, 20);
             }};
  some.options.iterations = 500;
  out.push_back(some);
  some.name += "-120hz";
  some.description += ", 120 steps a second";
  some.options.dt = 1.0 / 120;
  out.push_back(some);
  Scene many{
      "masonry/arch-101", "an arch of 101 stones, 5,000 iterations", {}, false, [](const SceneOptions& o) {
        return arch(o, 101, 1.5, 20);
      }};
  many.options.iterations = 5000;
  out.push_back(many);
  appendAskew(out, many);
  out.push_back({"masonry/cards", "a house of seven cards, thin boxes", {}, true, &boxCards});
  const Scene sheet_cards{
      "masonry/sheet-cards", "a house of seven cards without thickness", {}, false, &sheetCards};
  out.push_back(sheet_cards);
  appendScales(out, sheet_cards);
  appendAskew(out, sheet_cards);
  appendCuts(out, {"masonry/dominoes", "ten dominoes, the first one pushed", {}, true, &dominoes});
  if (const auto part = localMesh("gazebo-3335.stl")) {
    const auto stack = [part = *part](bool plane, double spacing) {
      return [part, plane, spacing](const SceneOptions& o) { return reportedStack(o, part, plane, spacing); };
    };
    const Scene on_slab{
        "stacks/3335", "five parts of gazebo-classic 3335 on a slab", {}, false, stack(false, 0.248)};
    out.push_back(on_slab);
    appendExactSolver(out, on_slab);  // with 50 iterations of QuickStep the stack creeps by 0.07 mm a second
    out.push_back(
        {"stacks/3335-plane", "five parts of gazebo-classic 3335 on a plane", {}, false, stack(true, 0.248)});
    out.push_back({"stacks/3335-dropped",
                   "five parts of gazebo-classic 3335 dropped on a slab",
                   {},
                   false,
                   stack(false, 0.3)});
    out.push_back({"stacks/3335-dropped-plane",
                   "five parts of gazebo-classic 3335 dropped on a plane",
                   {},
                   false,
                   stack(true, 0.3)});
  }
  return out;
}

}  // namespace odemesh::sim
