#include <algorithm>
#include <cmath>
#include <exception>
#include <odemesh/sim/scenes/scene.hpp>

#include "scenes/families.hpp"

namespace odemesh::sim {
namespace {

std::vector<Scene> collectScenes() {
  std::vector<Scene> all;
  for (const auto family : kSceneFamilies)
    for (Scene& scene : family()) all.push_back(std::move(scene));
  return all;
}

struct Totals {
  double collision_ms = 0, solver_ms = 0, contacts = 0;

  void add(const StepMetrics& metrics) {
    collision_ms += metrics.collision_ms;
    solver_ms += metrics.solver_ms;
    contacts += static_cast<double>(metrics.contacts);
  }
  void averageInto(SceneReport& report) const {
    const double steps = std::max<double>(1, static_cast<double>(report.steps));
    report.collision_ms = collision_ms / steps;
    report.solver_ms = solver_ms / steps;
    report.contacts = contacts / steps;
  }
};

void runToTheEnd(SceneRun& run, SceneReport& report, const std::function<bool()>& keep_going) {
  Totals totals;
  while (!run.isDone() && report.failure.empty()) {
    run.step();
    ++report.steps;
    totals.add(run.world->metrics());
    if (keep_going && !keep_going()) report.failure = "stopped before its end";
  }
  totals.averageInto(report);
  if (run.world->failure()) report.failure = run.world->failure()->message;
  report.hash = run.world->stateHash();
}

}  // namespace

bool Figure::passes() const {
  return bound == Bound::kAtMost ? value <= limit : value >= limit;
}

void SceneRun::step() {
  if (drive) drive(*world);
  world->step();
  if (observe) observe(*world);
}

bool SceneRun::isDone() const {
  return world->failure().has_value() || world->metrics().time >= duration - world->settings().dt / 2;
}

bool SceneReport::passed() const {
  return failure.empty() && !figures.empty() &&
         std::all_of(figures.begin(), figures.end(), [](const Figure& f) { return f.passes(); });
}

std::span<const Scene> allScenes() {
  static const std::vector<Scene> scenes = collectScenes();
  return scenes;
}

const Scene* findScene(std::string_view name) {
  for (const Scene& scene : allScenes())
    if (scene.name == name) return &scene;
  return nullptr;
}

SceneReport runScene(const Scene& scene, const SceneOptions& options,
                     const std::function<bool()>& keep_going) {
  SceneReport report;
  try {
    SceneRun run = scene.build(options);
    runToTheEnd(run, report, keep_going);
    report.figures = run.judge(*run.world);
  } catch (const std::exception& error) {
    report.failure = error.what();
  }
  return report;
}

void compareWithPrimitives(SceneReport& report, const SceneReport& primitives) {
  for (Figure& figure : report.figures)
    for (const Figure& other : primitives.figures) {
      if (figure.primitive_factor <= 0 || figure.name != other.name || !std::isfinite(other.value)) continue;
      const double relative = figure.primitive_factor * other.value;
      figure.limit = figure.bound == Figure::Bound::kAtMost ? std::max(figure.limit, relative)
                                                            : std::min(figure.limit, relative);
    }
}

}  // namespace odemesh::sim
