// odemesh-sandbox: parse, plan, run, report.
#include <cstdio>
#include <exception>
#include <memory>
#include <odemesh/sim/input_error.hpp>

#include "options.hpp"
#include "picture.hpp"
#include "plan.hpp"
#include "report.hpp"
#include "run.hpp"

namespace odemesh::sandbox {
namespace {

enum ExitCode { kGood = 0, kFailedRun = 1, kBadInput = 2 };

void saveScreenshot(const sim::World& world, const Options& options) {
  if (options.screenshot.empty()) return;
  if (const std::string problem = savePicture(world, options.screenshot); !problem.empty()) {
    std::fprintf(stderr, "warning: no picture: %s\n", problem.c_str());
  } else if (!options.quiet) {
    std::printf("picture          %s\n", options.screenshot.c_str());
  }
}

int runProgram(const Options& options) {
  const Plan plan = makePlan(options);
  for (const std::string& warning : plan.warnings) std::fprintf(stderr, "warning: %s\n", warning.c_str());
  if (!options.headless) std::fputs("note: this build has no viewer; running headless\n", stderr);
  JsonLines json(options.json, options.json_every);
  const std::unique_ptr<sim::World> world = makeWorld(plan);
  Summary summary;
  {
    Progress progress(plan.steps, !options.quiet);
    summary = run(*world, plan, options.stop_at_rest, [&](const sim::StepMetrics& step) {
      progress.show(step);
      json.write(step);
    });
  }
  json.write(summary, options, plan);
  json.close();
  if (!options.quiet) std::fputs(describe(summary, options).c_str(), stdout);
  saveScreenshot(*world, options);
  return summary.failure.empty() ? kGood : kFailedRun;
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
