// Flat drops and restitution.
#include <algorithm>
#include <cmath>

#include "scenes/families.hpp"
#include "scenes/variants.hpp"
#include "scenes/watch.hpp"

namespace odemesh::sim {
namespace {

/// The first impact: how fast the body came and how fast it left, and what it left with besides.
struct ImpactWatch {
  double fastest_down = 0, left_at = 0, sideways = 0, spin = 0;
  bool left = false;
  double until = 0;

  void observe(const World& world, const Body& body, const SceneFrame& frame) {
    const Vec3 velocity = frame.vector(body.linearVelocity());
    const double time = world.metrics().time;
    if (!left) fastest_down = std::min(fastest_down, velocity.z);
    if (!left && velocity.z > -0.5 * std::abs(fastest_down) && fastest_down < -1) {
      left = true;
      until = time + 0.05;
    }
    if (!left || time > until) return;
    left_at = std::max(left_at, velocity.z);
    sideways = std::max(sideways, std::hypot(velocity.x, velocity.y));
    spin = std::max(spin, length(body.angularVelocity()));
  }
};

SceneRun dropped(SceneBuilder& builder, const Body& body, double restitution, double sideways_limit,
                 double spin_limit) {
  const SceneFrame frame = builder.frame();
  SceneRun run = builder.finish(0.6);
  const auto watch = std::make_shared<ImpactWatch>();
  run.observe = [watch, &body, frame](const World& w) { watch->observe(w, body, frame); };
  run.judge = [=](World&) {
    const double ratio = watch->left ? watch->left_at / -watch->fastest_down : 9;
    return std::vector<Figure>{
        {.name = "restitution off",
         .value = std::abs(ratio - restitution),
         .limit = 0.02,
         .unit = "",
         .primitive_factor = 1.02},  // ODE adds what it corrects of the depth

        {.name = "sideways", .value = watch->sideways, .limit = sideways_limit, .unit = "m/s"},
        {.name = "spin", .value = watch->spin, .limit = spin_limit, .unit = "rad/s"}};
  };
  return run;
}

WorldSettings bouncing(double restitution) {
  WorldSettings settings;
  settings.surface.restitution = restitution;
  return settings;
}

SceneRun flatDrop(const SceneOptions& options, double restitution) {
  SceneBuilder builder(options, bouncing(restitution));
  builder.fixed("slab", builder.box({3, 3, 0.5}), {0, 0, -0.25});
  const Body& box = builder.moving("box", builder.box({1, 1, 1}), {0.13, -0.08, 1.1});
  return dropped(builder, box, restitution, 1e-3, 2e-3);
}

SceneRun turnedDrop(const SceneOptions& options) {
  SceneBuilder builder(options, bouncing(0.5));
  builder.fixed("slab", builder.box({3, 3, 0.5}), {0, 0, -0.25});
  const Body& box =
      builder.moving("box", builder.box({1, 1, 1}), {0.13, -0.08, 1.1}, rotationAbout({0, 0, 1}, 0.6));
  return dropped(builder, box, 0.5, 1e-3, 2e-3);
}

// The ball stands on one of its vertices, which lies below its centre.
SceneRun ballDrop(const SceneOptions& options) {
  SceneBuilder builder(options, bouncing(0.7));
  builder.fixed("slab", builder.box({3, 3, 0.5}), {0, 0, -0.25});
  const Vec3 vertex = normalised({0, 1, -1.6180339887498949});
  const Mat3 stand = rotationAbout(cross(vertex, {0, 0, -1}), std::acos(-vertex.z));
  const Body& ball = builder.moving("ball", builder.sphere(0.4), {0.1, 0.05, 1}, stand);
  // A hundredth of the speed that it comes with: its facets are no sphere.
  return dropped(builder, ball, 0.7, 0.04, 0.1);
}

}  // namespace

std::vector<Scene> bounceScenes() {
  std::vector<Scene> out;
  const Scene half{"bounce/flat", "a cube dropped flat with e = 0.5", {}, true, [](const SceneOptions& o) {
                     return flatDrop(o, 0.5);
                   }};
  appendCuts(out, half);
  appendContactLimits(out, half);
  appendScales(out, half);
  appendCuts(out, {"bounce/dead", "a cube dropped flat with e = 0", {}, true, [](const SceneOptions& o) {
                     return flatDrop(o, 0);
                   }});
  appendCuts(out, {"bounce/elastic", "a cube dropped flat with e = 1", {}, true, [](const SceneOptions& o) {
                     return flatDrop(o, 1);
                   }});
  appendCuts(out, {"bounce/turned", "a cube dropped flat, turned, with e = 0.5", {}, true, &turnedDrop});
  appendCuts(out, {"bounce/ball", "a ball of facets dropped on a vertex with e = 0.7", {}, true, &ballDrop});
  return out;
}

}  // namespace odemesh::sim
