// Friction on slopes, and sliding and rolling over the inner edges of flat ground.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <odemesh/sim/shapes.hpp>

#include "scenes/families.hpp"
#include "scenes/meshes.hpp"
#include "scenes/variants.hpp"
#include "scenes/watch.hpp"

namespace odemesh::sim {
namespace {

constexpr double kG = 9.81;

// The slope lies level and gravity is tilted, downhill along x.
WorldSettings slopeSettings(double angle, double mu) {
  WorldSettings settings;
  settings.gravity = {kG * std::sin(angle), 0, -kG * std::cos(angle)};
  settings.surface.mu = mu;
  return settings;
}

Body& addSlopeAndBox(SceneBuilder& builder) {
  builder.fixed("slope", builder.box({12, 3, 0.5}), {4, 0, -0.25});
  return builder.moving("box", builder.box({1, 1, 0.5}), {0, 0, 0.25});
}

/// The body's velocity at a chosen time.
struct Sampled {
  double time;
  Vec3 velocity{}, position{};
  bool taken = false;

  void observe(const World& world, const Body& body, const SceneFrame& frame) {
    if (taken || world.metrics().time < time) return;
    taken = true;
    velocity = frame.vector(body.linearVelocity());
    position = frame.point(body.centreOfMass());
  }
};

// Between 1 s and 3 s the speed has to rise by 2 s times the closed form's acceleration.
SceneRun acceleration(const SceneOptions& options) {
  const double angle = 24 * std::numbers::pi / 180, mu = 0.4;
  SceneBuilder builder(options, slopeSettings(angle, mu));
  const Body& box = addSlopeAndBox(builder);
  const SceneFrame frame = builder.frame();
  SceneRun run = builder.finish(3);
  const auto early = std::make_shared<Sampled>(Sampled{1});
  run.observe = [early, &box, frame](const World& w) { early->observe(w, box, frame); };
  const double expected = kG * (std::sin(angle) - mu * std::cos(angle));
  run.judge = [early, &box, frame, expected](World&) {
    const Vec3 gained = frame.vector(box.linearVelocity()) - early->velocity;
    return std::vector<Figure>{
        {.name = "acceleration off",
         .value = std::abs(gained.x / 2 / expected - 1) * 100,
         .limit = 1,
         .unit = "%"},
        {.name = "sideways", .value = std::abs(gained.y), .limit = 1e-3, .unit = "m/s"}};
  };
  return run;
}

// One percent below the threshold nothing moves; one above, the box does by the closed form.
SceneRun threshold(const SceneOptions& options, double share) {
  const double mu = 0.4, angle = std::atan(share * mu);
  SceneBuilder builder(options, slopeSettings(angle, mu));
  const Body& box = addSlopeAndBox(builder);
  const SceneFrame frame = builder.frame();
  SceneRun run = builder.finish(4);
  const auto early = std::make_shared<Sampled>(Sampled{1});
  run.observe = [early, &box, frame](const World& w) { early->observe(w, box, frame); };
  const bool slides = share > 1;
  const double expected = 3 * kG * (std::sin(angle) - mu * std::cos(angle));
  run.judge = [=, &box](World&) {
    const double moved = frame.point(box.centreOfMass()).x - early->position.x;
    const double gained = frame.vector(box.linearVelocity()).x - early->velocity.x;
    if (slides)
      return std::vector<Figure>{{.name = "speed gained",
                                  .value = gained / expected,
                                  .limit = 0.5,
                                  .unit = "of expected",
                                  .bound = Figure::Bound::kAtLeast}};
    return std::vector<Figure>{
        {.name = "crept", .value = std::abs(moved) * 1e3, .limit = 0.1, .unit = "mm", .primitive_factor = 2}};
  };
  return run;
}

/// How a body that should go straight on along x and stay at its height does so.
struct GlideWatch {
  double start_speed = 0, start_height = 0, hop = 0, sideways = 0;
  bool started = false;

  void observe(const World& world, const Body& body, const SceneFrame& frame, double from) {
    if (world.metrics().time < from) return;
    const Vec3 velocity = frame.vector(body.linearVelocity());
    const double height = frame.point(body.centreOfMass()).z;
    if (!started) {
      started = true;
      start_speed = std::hypot(velocity.x, velocity.y);
      start_height = height;
    }
    hop = std::max(hop, height - start_height);
  }
};

constexpr Vec3 kGlide{3, 0.7, 0};

SceneRun glide(SceneBuilder& builder, const Body& body) {
  const SceneFrame frame = builder.frame();
  SceneRun run = builder.finish(2);
  const auto watch = std::make_shared<GlideWatch>();
  run.observe = [watch, &body, frame](const World& w) { watch->observe(w, body, frame, 0.2); };
  run.judge = [watch, &body, frame](World&) {
    const Vec3 velocity = frame.vector(body.linearVelocity());
    const double speed = std::hypot(velocity.x, velocity.y);
    const double turned = std::abs(std::atan2(velocity.y, velocity.x) - std::atan2(kGlide.y, kGlide.x));
    return std::vector<Figure>{
        {.name = "speed lost",
         .value = std::abs(1 - speed / watch->start_speed) * 100,
         .limit = 0.5,
         .unit = "%"},
        {.name = "hop", .value = watch->hop * 1e3, .limit = 0.1, .unit = "mm"},
        {.name = "turned aside", .value = turned * 180 / std::numbers::pi, .limit = 0.1, .unit = "deg"}};
  };
  return run;
}

WorldSettings smooth() {
  WorldSettings settings;
  settings.surface.mu = 0;
  return settings;
}

SceneRun slidingBox(const SceneOptions& options) {
  SceneBuilder builder(options, smooth());
  SceneOptions fine = options;
  fine.cells = options.cells * 4;
  builder.fixed("ground", SceneBuilder::boxOf(fine, {12, 6, 0.5}), {4, 1, -0.25});
  const Body& box =
      builder.moving("box", builder.box({0.6, 0.6, 0.4}), {0, 0, 0.2}, rotationAbout({0, 0, 1}, 0.2), kGlide);
  return glide(builder, box);
}

// Two slabs, one beside the other: the seam is an edge between bodies.
SceneRun slidingOverSeam(const SceneOptions& options) {
  SceneBuilder builder(options, smooth());
  for (const double x : {-2.0, 2.0, 6.0, 10.0})
    builder.fixed("slab", builder.box({4, 8, 0.5}), {x, 0, -0.25});
  const Body& box = builder.moving("box", builder.box({0.6, 0.6, 0.4}), {-1, 0, 0.2}, {}, kGlide);
  return glide(builder, box);
}

/// Speed along the ground after 2 s of rolling from 2 m/s; the ground cut into `cells` by `cells` squares.
double rolledSpeed(const SceneOptions& options, int cells) {
  SceneOptions cut = options;
  cut.cells = cells;
  SceneBuilder builder(cut);
  const double radius = 0.3, speed = 2;
  builder.fixed("ground", builder.box({12, 4, 0.5}), {4, 0, -0.25});
  const Body& ball = builder.moving("ball", builder.sphere(radius, 4), {0, 0, radius}, {}, {speed, 0.3, 0},
                                    {-0.3 / radius, speed / radius, 0});
  const SceneFrame frame = builder.frame();
  SceneRun run = builder.finish(2);
  while (!run.isDone()) run.step();
  return length(frame.vector(ball.linearVelocity()));
}

/// Half a pipe along x of 24 flat strips, open at the top; the line at its bottom is the x axis.
TriangleMesh gutter(double radius, double wall, double length) {
  constexpr int kStrips = 24;
  std::vector<Point2> outline;
  const auto add = [&](double r, int i) {
    const double angle = std::numbers::pi * (1 + double(i) / kStrips);
    outline.push_back({r * std::cos(angle), radius + r * std::sin(angle)});
  };
  for (int i = 0; i <= kStrips; ++i) add(radius + wall, i);
  for (int i = kStrips; i >= 0; --i) add(radius, i);
  return transformed(extruded(outline, length), {{{Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{0, 1, 0}}}, {}});
}

// A ball without friction that swings from wall to wall as it goes: no wall pushes it along the gutter.
SceneRun runningMarble(const SceneOptions& options) {
  SceneBuilder builder(options, smooth());
  constexpr double kSpeed = 1.5;
  builder.fixed("gutter", builder.mesh(gutter(0.2, 0.03, 8)), {3, 0, 0});
  const Body& ball = builder.moving("ball", builder.sphere(0.1, 2), {0, 0.07, 0.15}, {}, {kSpeed, 0, 0});
  const SceneFrame frame = builder.frame();
  SceneRun run = builder.finish(3);
  run.judge = [&ball, frame](World&) {
    const double speed = frame.vector(ball.linearVelocity()).x;
    return std::vector<Figure>{{.name = "speed along the gutter lost",
                                .value = std::abs(1 - speed / kSpeed) * 100,
                                .limit = 0.5,
                                .unit = "%"}};
  };
  return run;
}

// A ball of facets loses speed on any ground; inner edges must not take more.
SceneRun rollingBall(const SceneOptions& options) {
  SceneBuilder builder(options);
  const double radius = 0.3;
  builder.fixed("ground", builder.box({12, 4, 0.5}), {4, 0, -0.25});
  builder.moving("ball", builder.sphere(radius, 4), {0, 0, radius}, {}, {2, 0.3, 0},
                 {-0.3 / radius, 2 / radius, 0});
  SceneRun run = builder.finish(0);
  run.judge = [options](World&) {
    const double whole = rolledSpeed(options, 1), cut = rolledSpeed(options, 48);
    return std::vector<Figure>{
        {.name = "lost to inner edges", .value = (1 - cut / whole) * 100, .limit = 0.5, .unit = "%"}};
  };
  return run;
}

constexpr double kWheel = 0.3;

/// Two wheels, and the axle between them, along y; it does not touch them.
TriangleMesh wheelset(int sides) {
  TriangleMesh out;
  const Mat3 along_y = rotationAbout({1, 0, 0}, std::numbers::pi / 2);
  for (const double y : {-0.45, 0.45}) append(out, makeCylinder(kWheel, 0.1, sides), {along_y, {0, y, 0}});
  append(out, makeCylinder(0.02, 0.798, 12), {along_y, {}});
  return out;
}

/// The speed that is left of `speed` after `seconds` to wheels whose sides strike the ground one by one and
/// do not bounce: each strike keeps the angular momentum about the edge that comes down.
double speedOfSides(int sides, double speed, double seconds) {
  const double turn = 2 * std::numbers::pi / sides, side = 2 * kWheel * std::sin(turn / 2);
  const double lost = (1 - std::cos(turn)) / 1.5;  // at each; of a disc
  return 1 / (1 / speed + seconds * lost / side);
}

// Wheels come down on each side in turn; what does that too far ahead of the axle is kicked up, and loses
// more.
SceneRun rollingWheels(const SceneOptions& options, int sides, bool is_on_plane) {
  SceneBuilder builder(options);
  constexpr double kSpeed = 2, kSeconds = 5;
  if (is_on_plane)
    builder.fixed("ground", SceneBuilder::plane());
  else
    builder.fixed("ground", builder.box({16, 4, 0.5}), {6, 0, -0.25});
  const Body& body = builder.moving("wheels", builder.mesh(wheelset(sides)), {0, 0, kWheel}, {},
                                    {kSpeed, 0, 0}, {0, kSpeed / kWheel, 0});
  const SceneFrame frame = builder.frame();
  SceneRun run = builder.finish(kSeconds);
  run.judge = [&body, frame, sides](World&) {
    const Vec3 velocity = frame.vector(body.linearVelocity());
    return std::vector<Figure>{
        {.name = "lost beyond the strikes of the sides",
         .value = (speedOfSides(sides, kSpeed, kSeconds) - velocity.x) / kSpeed * 100,
         .limit = 5,
         .unit = "%"},
        {.name = "sideways", .value = std::abs(velocity.y), .limit = 0.01, .unit = "m/s"}};
  };
  return run;
}

}  // namespace

std::vector<Scene> slideScenes() {
  std::vector<Scene> out;
  const Scene slope{"slide/slope", "acceleration on a slope of 24 degrees, mu 0.4", {}, true, &acceleration};
  appendCuts(out, slope);
  appendContactLimits(out, slope);
  appendScales(out, slope);
  appendCuts(
      out,
      {"slide/holds", "a slope one percent below friction's threshold", {}, true, [](const SceneOptions& o) {
         return threshold(o, 0.99);
       }});
  appendCuts(
      out,
      {"slide/slips", "a slope one percent above friction's threshold", {}, true, [](const SceneOptions& o) {
         return threshold(o, 1.01);
       }});
  const Scene sliding{
      "slide/smooth", "a box at 3 m/s over finely cut ground, no friction", {}, true, &slidingBox};
  appendCuts(out, sliding);
  appendScales(out, sliding);
  appendCuts(out, {"slide/seam", "a box at 3 m/s over the seams between slabs", {}, true, &slidingOverSeam});
  out.push_back({"slide/roll", "a ball of facets rolling over cut ground", {}, true, &rollingBall});
  for (const int sides : {128, 512})
    for (const bool is_on_plane : {false, true}) {
      const std::string name = sides == 128 ? "slide/wheels" : "slide/fine-wheels";
      const Scene wheels{
          name + (is_on_plane ? "-on-plane" : ""),
          "two wheels of " + std::to_string(sides) + " sides on an axle, rolling at 2 m/s",
          {},
          true,
          [sides, is_on_plane](const SceneOptions& o) { return rollingWheels(o, sides, is_on_plane); }};
      out.push_back(wheels);
      if (is_on_plane) appendScales(out, wheels);
      appendCoarseStep(out, wheels);
      appendFineStep(out, wheels);
    }
  out.push_back({"slide/marble",
                 "a ball swinging along a gutter of flat strips, no friction",
                 {},
                 true,
                 &runningMarble});
  return out;
}

}  // namespace odemesh::sim
