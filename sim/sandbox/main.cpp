// odemesh-sandbox: parse, plan, run, report.
#include <cstdio>
#include <exception>
#include <odemesh/sim/input_error.hpp>
#include <vector>

#include "options.hpp"
#include "picture.hpp"
#include "plan.hpp"
#include "report.hpp"
#include "run.hpp"

namespace odemesh::sandbox {
namespace {

enum ExitCode { kGood = 0, kFailedRun = 1, kBadInput = 2 };

void saveScreenshot(const std::vector<sim::SceneRun>& runs, const Options& options) {
  if (options.screenshot.empty()) return;
  std::vector<const sim::World*> worlds;
  for (const sim::SceneRun& run : runs) worlds.push_back(run.world.get());
  if (const std::string problem = savePicture(worlds, options); !problem.empty()) {
    std::fprintf(stderr, "warning: no picture: %s\n", problem.c_str());
  } else if (!options.quiet) {
    std::printf("picture          %s\n", options.screenshot.c_str());
  }
}

Summary runOnce(sim::SceneRun& scene, const Plan& plan, const Options& options, JsonLines& json) {
  Summary summary;
  {
    Progress progress(plan.steps, !options.quiet);
    summary = run(scene, plan, options.stop_at_rest, [&](const sim::StepMetrics& step) {
      progress.show(step);
      json.write(step);
    });
  }
  json.write(summary, options, plan);
  if (!options.quiet) std::fputs(describe(summary, options).c_str(), stdout);
  return summary;
}

std::vector<sim::Collider> collidersOf(const Options& options) {
  if (options.side_by_side) return {sim::Collider::kOdemesh, sim::Collider::kOde};
  return {options.world.collider};
}

// Side by side, one after the other; the first decides whether the run is good.
int runHeadless(const Plan& plan, const Options& options) {
  JsonLines json(options.json, options.json_every);
  std::vector<sim::SceneRun> runs;
  std::vector<std::string> failures;
  for (const sim::Collider collider : collidersOf(options)) {
    Options with_collider = options;
    with_collider.collider = sim::colliderName(collider);
    sim::SceneRun& scene = runs.emplace_back(makeRun(plan, collider));
    failures.push_back(runOnce(scene, plan, with_collider, json).failure);
  }
  json.close();
  saveScreenshot(runs, options);
  return failures[0].empty() ? kGood : kFailedRun;
}

int runProgram(const Options& options) {
  if (options.scene == "list") {
    std::fputs(listOfScenes().c_str(), stdout);
    return kGood;
  }
  const Plan plan = makePlan(options);
  for (const std::string& warning : plan.warnings) std::fprintf(stderr, "warning: %s\n", warning.c_str());
  if (options.headless || !options.json.empty()) return runHeadless(plan, options);
  const auto make = [&plan](sim::Collider collider) { return makeRun(plan, collider); };
  const std::string problem = showWindow(make, plan.warnings, options);
  if (problem.empty()) return kGood;
  std::fprintf(stderr, "note: no window: %s; running headless\n", problem.c_str());
  return runHeadless(plan, options);
}

}  // namespace
}  // namespace odemesh::sandbox

int main(int argc, char** argv) {
  using namespace odemesh;
  try {
    const auto parsed = sandbox::parseOptions(argc, argv);
    if (const int* code = std::get_if<int>(&parsed)) return *code;
    return sandbox::runProgram(std::get<sandbox::Options>(parsed));
  } catch (const sim::InputError& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return sandbox::kBadInput;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return sandbox::kFailedRun;
  }
}
