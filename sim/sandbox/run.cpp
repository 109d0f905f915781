#include "run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

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

odemeshCounters countersNow() {
  odemeshCounters now{};
  now.size = sizeof now;
  odemeshGetCounters(&now);
  return now;
}

odemeshCounters difference(odemeshCounters now, const odemeshCounters& before) {
  constexpr std::array kCounts{&odemeshCounters::pairs,
                               &odemeshCounters::colliding_pairs,
                               &odemeshCounters::contacts,
                               &odemeshCounters::contacts_dropped,
                               &odemeshCounters::meshes_built,
                               &odemeshCounters::bad_triangles,
                               &odemeshCounters::errors,
                               &odemeshCounters::zero_area_triangles,
                               &odemeshCounters::meshes_without_inside,
                               &odemeshCounters::contained_pairs,
                               &odemeshCounters::unsound_contacts,
                               &odemeshCounters::data_changes,
                               &odemeshCounters::repeated_pairs};
  for (const auto count : kCounts) now.*count -= before.*count;
  return now;
}

}  // namespace

Run::Run(sim::SceneRun scene, const Plan& plan, bool stop_at_rest, std::optional<std::uint64_t> watch_from)
    : scene_(std::move(scene)),
      watch_from_(watch_from.value_or(0)),
      steps_(plan.steps),
      stop_at_rest_(stop_at_rest),
      ground_level_(plan.ground_level),
      rest_(plan.rest_threshold,
            static_cast<std::size_t>(std::max(1.0, std::round(kRestSeconds / plan.settings.dt)))),
      start_(countersNow()) {
  if (watch_from) trial_.emplace(std::move(scene_.world));
  countBodies(world(), sums_);
}

bool Run::isDone() const {
  return sums_.last.step >= steps_ || world().failure() || (stop_at_rest_ && rest_.isAtRest());
}

const sim::StepMetrics& Run::step() {
  if (trial_) {
    trial_->run(1);
    if (world().metrics().step == watch_from_) trial_->mark();
  } else {
    scene_.step();
  }
  add(world().metrics(), sums_);
  rest_.add(sums_.last.rms_speed);
  return sums_.last;
}

Summary Run::summary() const {
  Summary out = sums_;
  if (world().failure()) out.failure = world().failure()->message;
  const auto steps = static_cast<double>(std::max<std::uint64_t>(out.last.step, 1));
  out.mean_collision_ms /= steps;
  out.mean_solver_ms /= steps;
  out.rms_speed = rest_.rmsSpeed();
  out.rest_seconds = static_cast<double>(rest_.steps()) * world().settings().dt;
  out.at_rest = rest_.isAtRest();
  out.rest_threshold = rest_.threshold();
  if (world().settings().collider == sim::Collider::kOdemesh)
    out.counters = difference(countersNow(), start_);
  out.has_ground = ground_level_.has_value();
  judgeHeights(world(), ground_level_, out);
  return out;
}

}  // namespace odemesh::sandbox
