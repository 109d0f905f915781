#include "run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <odemesh/sim/rest_monitor.hpp>
#include <sstream>

namespace odemesh::sandbox {
namespace {

constexpr double kRestSeconds = 0.25;
constexpr double kSunkShareOfRadius = 0.1;

double heightOverGround(const sim::Body& body, double ground_level) {
  return -body.support({0, 0, -1}) - ground_level;
}

void countBodies(const sim::World& world, Summary& out) {
  for (std::size_t i = 0; i < world.bodyCount(); ++i) {
    if (world.body(i).isStatic()) continue;
    ++out.bodies;
    for (const sim::Part& part : world.body(i).parts()) out.triangles += sim::triangleCount(part.geometry);
  }
}

std::string sunkText(const sim::Body& body, double height) {
  std::ostringstream out;
  out << "body '" << body.name() << "' ended " << -height << " m below the ground";
  return out.str();
}

// Where the bodies are now, and whether one is below the ground.
void judgeHeights(const sim::World& world, std::optional<double> ground_level, Summary& out) {
  out.lowest_point = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < world.bodyCount(); ++i) {
    const sim::Body& body = world.body(i);
    if (body.isStatic() || !body.isFinite()) continue;
    const double height = heightOverGround(body, ground_level.value_or(0));
    out.lowest_point = std::min(out.lowest_point, height);
    if (ground_level && out.failure.empty() && height < -kSunkShareOfRadius * body.boundingRadius())
      out.failure = sunkText(body, height);
  }
}

void add(const sim::StepMetrics& step, Summary& out) {
  out.last = step;
  out.most_contacts = std::max(out.most_contacts, step.contacts);
  out.greatest_depth = std::max(out.greatest_depth, step.greatest_depth);
  out.rejected_contacts += step.rejected_contacts;
  out.mean_collision_ms += step.collision_ms;  // sums, until the end
  out.mean_solver_ms += step.solver_ms;
}

}  // namespace

Summary run(sim::SceneRun& scene, const Plan& plan, bool stop_at_rest,
            const std::function<void(const sim::StepMetrics&)>& on_step) {
  const sim::World& world = *scene.world;
  Summary out;
  countBodies(world, out);
  const double window = std::max(1.0, std::round(kRestSeconds / plan.settings.dt));
  sim::RestMonitor rest(plan.rest_threshold, static_cast<std::size_t>(window));
  while (out.last.step < plan.steps && !world.failure()) {
    scene.step();
    add(world.metrics(), out);
    rest.add(out.last.rms_speed);
    on_step(out.last);
    if (stop_at_rest && rest.isAtRest()) break;
  }
  if (world.failure()) out.failure = world.failure()->message;
  const auto steps = static_cast<double>(std::max<std::uint64_t>(out.last.step, 1));
  out.mean_collision_ms /= steps;
  out.mean_solver_ms /= steps;
  out.rms_speed = rest.rmsSpeed();
  out.at_rest = rest.isAtRest();
  out.rest_threshold = rest.threshold();
  judgeHeights(world, plan.ground_level, out);
  return out;
}

}  // namespace odemesh::sandbox
