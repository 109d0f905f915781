// Rigid trefoil knots: dropped, heaped, hung on a bar and in each other.
#include <cmath>
#include <numbers>
#include <odemesh/sim/shapes.hpp>

#include "scenes/families.hpp"
#include "scenes/judge.hpp"
#include "scenes/meshes.hpp"
#include "scenes/variants.hpp"

namespace odemesh::sim {
namespace {

constexpr TrefoilSize kSize{.major = 0.3, .minor = 0.15, .tube = 0.04};

struct Fineness {
  int segments, sides;
};
constexpr Fineness kCoarse{30, 5}, kFine{96, 12};

Geometry knot(const SceneBuilder& builder, const Fineness& fineness) {
  return builder.mesh(trefoil(kSize, fineness.segments, fineness.sides));
}

/// A knot's axis lies along y, then turned about z. Its three bights point `bights` radians above x, and 120
/// degrees on from there.
Mat3 standing(double bights = 0, double turn = 0) {
  return rotationAbout({0, 0, 1}, turn) * rotationAbout({1, 0, 0}, std::numbers::pi / 2) *
         rotationAbout({0, 0, 1}, bights);
}

/// A body that loses 3/s of its speed, so that what hangs comes to rest.
void addHanging(SceneBuilder& builder, const Geometry& geometry, const Vec3& position, const Mat3& rotation) {
  BodySpec spec;
  spec.name = "hanging";
  spec.parts = {{geometry}};
  spec.pose = {rotation, position};
  spec.linear_damping = spec.angular_damping = 1 - std::exp(-3 * builder.options().dt);
  builder.add(std::move(spec));
}

SceneRun dropped(const SceneOptions& options, const Fineness& fineness, bool on_plane) {
  SceneBuilder builder(options);
  if (on_plane)
    builder.fixed("ground", SceneBuilder::plane());
  else
    builder.fixed("slab", builder.mesh(makeBox({3, 3, 0.5}, 3)), {0, 0, -0.25});
  builder.moving("knot", knot(builder, fineness), {0, 0, 0.6}, rotationAbout({1, 2, 3}, 1));
  return judgedHolding(builder, options.quick ? 4 : 20, {.radius = kSize.tube, .speed = 1e-3, .floor = 0.1});
}

// Through the middle of the knot.
SceneRun onBar(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("bar", builder.mesh(makeCylinder(0.05, 2, 24)), {}, standing());
  addHanging(builder, knot(builder, kFine), {0, 0.02, -0.05}, standing());
  return judgedHolding(builder, options.quick ? 5 : 20, {.radius = kSize.tube, .floor = -0.5});
}

// Around a strand, along which it slides down.
SceneRun ringOnKnot(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("knot", knot(builder, kFine), {}, standing());
  const double steepness = std::atan2(3 * kSize.minor, 2 * (kSize.major + kSize.minor));
  addHanging(builder, builder.mesh(makeTorus(0.09, 0.02, 32, 12)), {kSize.major + kSize.minor, 0, 0},
             rotationAbout({1, 0, 0}, steepness));
  return judgedHolding(builder, options.quick ? 5 : 20, {.radius = 0.02, .floor = -0.7});
}

/// m; from knot to knot where bights hang in each other
constexpr double kPitch = 2 * (kSize.major + kSize.minor - kSize.tube);

SceneRun bightInBight(const SceneOptions& options, const Fineness& fineness) {
  SceneBuilder builder(options);
  const Geometry geometry = knot(builder, fineness);
  constexpr double kRight = std::numbers::pi / 2;
  builder.fixed("upper", geometry, {}, standing(-kRight));
  addHanging(builder, geometry, {0, 0, -0.95 * kPitch}, standing(kRight, kRight));
  const SceneFrame frame = builder.frame();
  SceneRun run = judgedHolding(builder, options.quick ? 5 : 20, {.radius = kSize.tube});
  addLongestStep(run, LinkWatch(frame, {{0, 1}}), kPitch, kSize.tube);
  return run;
}

// Every strand of the one winds around the other's: their linking number is 4.
SceneRun entwined(const SceneOptions& options) {
  SceneBuilder builder(options);
  const Geometry geometry = knot(builder, kFine);
  constexpr double kRight = std::numbers::pi / 2;
  builder.fixed("upper", geometry, {}, standing(-kRight));
  addHanging(builder, geometry, {0, 0, -0.41}, standing(-kRight, kRight));
  return judgedHolding(builder, options.quick ? 5 : 20, {.radius = kSize.tube, .floor = -0.55});
}

SceneRun chain(const SceneOptions& options) {
  SceneBuilder builder(options);
  const Geometry geometry = knot(builder, kCoarse);
  builder.fixed("uppermost", geometry, {}, standing());
  std::vector<LinkWatch::Link> links;
  for (int i = 1; i < 4; ++i) {
    addHanging(builder, geometry, {0, 0, -0.68 * i}, standing(0, i * std::numbers::pi / 2));
    links.emplace_back(i - 1, i);
  }
  const SceneFrame frame = builder.frame();
  SceneRun run = judgedHolding(builder, options.quick ? 5 : 20, {.radius = kSize.tube});
  addLongestStep(run, LinkWatch(frame, std::move(links)), kPitch, kSize.tube);
  return run;
}

SceneRun heap(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.bowlWith("knot", knot(builder, kCoarse),
                   {.count = 6, .spread = 0.2, .lowest = 0.8, .step = 0.7, .seed = 5});
  return judgedHolding(builder, options.quick ? 5 : 15, {.radius = kSize.tube, .floor = 0});
}

}  // namespace

std::vector<Scene> knotScenes() {
  std::vector<Scene> out;
  const auto drop = [](const Fineness& fineness, bool on_plane) {
    return [=](const SceneOptions& o) { return dropped(o, fineness, on_plane); };
  };
  const auto hung = [](const Fineness& fineness) {
    return [=](const SceneOptions& o) { return bightInBight(o, fineness); };
  };
  const Scene first{
      "knots/dropped", "a trefoil of 2,304 triangles dropped on a slab", {}, false, drop(kFine, false)};
  out.push_back(first);
  appendScales(out, first);
  out.push_back({"knots/dropped-coarse",
                 "a trefoil of 300 triangles dropped on a slab",
                 {},
                 false,
                 drop(kCoarse, false)});
  out.push_back({"knots/dropped-plane",
                 "a trefoil of 2,304 triangles dropped on ODE's plane",
                 {},
                 false,
                 drop(kFine, true)});
  out.push_back({"knots/heap", "six trefoils of 300 triangles dropped into a bowl", {}, false, &heap});
  const Scene fine{"knots/hung", "a trefoil of 2,304 triangles hung in another", {}, false, hung(kFine)};
  appendScales(out, fine);
  for (const Scene& scene :
       {fine,
        Scene{"knots/hung-coarse", "a trefoil of 300 triangles hung in another", {}, false, hung(kCoarse)},
        Scene{"knots/bar", "a trefoil hung on a bar", {}, false, &onBar},
        Scene{"knots/ring", "a ring around a strand of a trefoil", {}, false, &ringOnKnot},
        Scene{"knots/entwined",
              "a trefoil hung in another, all strands around each other",
              {},
              false,
              &entwined},
        Scene{"knots/chain", "a chain of four trefoils of 300 triangles", {}, false, &chain}}) {
    out.push_back(scene);
    appendCoarseStep(out, scene);
  }
  return out;
}

}  // namespace odemesh::sim
