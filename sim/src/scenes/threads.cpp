// A nut on a bolt: turning down by itself, locked by friction, slammed on.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "scenes/families.hpp"
#include "scenes/judge.hpp"
#include "scenes/meshes.hpp"
#include "scenes/watch.hpp"

namespace odemesh::sim {
namespace {

constexpr double kPitch = 0.08;
constexpr double kClearance = 0.003;

constexpr ThreadSize kThread{.radius = 0.1, .depth = 0.03, .pitch = kPitch};

SceneBuilder placedNut(const SceneOptions& options, const TriangleMesh& bolt, const TriangleMesh& nut,
                       double mu, double speed) {
  WorldSettings settings;
  settings.surface.mu = mu;
  SceneBuilder builder(options, settings);
  builder.fixed("bolt", builder.mesh(bolt));
  builder.moving("nut", builder.mesh(nut), {0, 0, 0.24}, {}, {0, 0, -speed});
  return builder;
}

/// How far the nut has come off the helix of the thread, m; within the clearance if the threads hold.
struct HelixWatch {
  double turned = 0, off_helix = 0;

  void observe(const World& world, const SceneFrame& frame) {
    const Body& nut = world.body(1);
    turned += nut.angularVelocity().z * world.settings().dt;
    const double fallen = frame.point(nut.centreOfMass()).z - 0.24;
    off_helix = std::max(off_helix, std::abs(fallen - turned * kPitch / (2 * std::numbers::pi)));
  }
};

SceneRun onThread(SceneBuilder& builder, double duration,
                  const std::function<Figure(const World&)>& descent) {
  const SceneFrame frame = builder.frame();
  SceneRun run =
      judgedHolding(builder, duration, {.radius = 0.03, .speed = std::numeric_limits<double>::infinity()});
  const auto helix = std::make_shared<HelixWatch>();
  addFigures(
      run,
      [helix, descent](World& w) {
        return std::vector<Figure>{
            descent(w),
            // The thread's flanks stand at about 37 degrees: the play along the axis is the clearance by 4/3.
            {.name = "off the helix",
             .value = helix->off_helix * 1e3,
             .limit = 2 * kClearance * 1e3,
             .unit = "mm"}};
      },
      [helix, frame](const World& w) { helix->observe(w, frame); });
  return run;
}

// Without friction the nut obeys a = g m / (m + I (2 pi / pitch)^2). Its thread is a flat one. The vertices
// of a thread lie farther out than the middles of its facets (0.5 mm here), and on steep flanks a nut has to
// rise to turn them past each other: by more than the thread falls meanwhile, so that it rests between them.
SceneRun nutTurnsDown(const SceneOptions& options) {
  SceneBuilder builder =
      placedNut(options, flatThreadedBolt(kThread, 10), flatThreadedNut(kThread, kClearance, 2, 0.2), 0, 0);
  const SceneFrame frame = builder.frame();
  const Inertial& nut = builder.world().body(1).inertial();
  const double per_turn = 2 * std::numbers::pi / (kPitch * frame.scale);
  const double share = nut.mass / (nut.mass + nut.inertia.row[2].z * per_turn * per_turn);
  const double duration = 2.5;
  const double expected = 0.5 * 9.81 * share * duration * duration;
  return onThread(builder, duration, [frame, expected](const World& w) {
    const double fallen = 0.24 - frame.point(w.body(1).centreOfMass()).z;
    return Figure{.name = "descent",
                  .value = fallen / expected,
                  .limit = 0.9,
                  .unit = "of expected",
                  .bound = Figure::Bound::kAtLeast};
  });
}

SceneRun nutLocks(const SceneOptions& options, double speed) {
  SceneBuilder builder =
      placedNut(options, threadedBolt(kThread, 0.8), threadedNut(kThread, kClearance, 0.16, 0.2), 0.5, speed);
  const SceneFrame frame = builder.frame();
  return onThread(builder, options.quick ? 3 : 15, [frame](const World& w) {
    const double fallen = 0.24 - frame.point(w.body(1).centreOfMass()).z;
    return Figure{.name = "descent", .value = fallen * 1e3, .limit = 2 * kClearance * 1e3, .unit = "mm"};
  });
}

}  // namespace

std::vector<Scene> threadScenes() {
  Scene slammed{"threads/slammed",
                "a nut pushed at 2 m/s against the threads of a bolt",
                {},
                false,
                [](const SceneOptions& o) { return nutLocks(o, 2); }};
  // At 240 steps a second the nut moves by 8.3 mm in one, more than all its play, and is off by that much
  // before there is any contact.
  slammed.options.dt = 1.0 / 480;
  return {{"threads/turns", "a nut turning down a bolt by itself, no friction", {}, false, &nutTurnsDown},
          {"threads/locks",
           "a nut held on a bolt by friction",
           {},
           false,
           [](const SceneOptions& o) { return nutLocks(o, 0); }},
          slammed};
}

}  // namespace odemesh::sim
