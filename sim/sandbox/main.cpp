// odemesh-sandbox: parse, plan, run, report.
#include <cstdio>
#include <exception>
#include <odemesh/sim/input_error.hpp>

#include "check.hpp"
#include "exit_code.hpp"
#include "headless.hpp"
#include "ode_messages.hpp"
#include "options.hpp"
#include "output_files.hpp"
#include "picture.hpp"
#include "plan.hpp"
#include "play.hpp"
#include "replay.hpp"

namespace odemesh::sandbox {
namespace {

int runProgram(const Options& options) {
  requireWritableFiles(options);
  if (!options.play.empty()) return play(options);
  if (!options.replay.empty()) return replay(options);
  if (options.scene == "list") {
    std::fputs(listOfScenes().c_str(), stdout);
    return kGood;
  }
  replaceJunit(options.junit, "the run did not come to its end");
  const Plan plan = makePlan(options);
  for (const std::string& warning : plan.warnings) std::fprintf(stderr, "warning: %s\n", warning.c_str());
  if (options.headless || !options.json.empty()) return runHeadless(plan, options);
  const auto make = [&plan](sim::Collider collider) { return makeRun(plan, collider); };
  const std::string problem = showWindow(make, plan.warnings, options);
  if (problem.empty()) return kGood;
  if (options.frames > 0 || !options.script.empty()) {
    std::fprintf(stderr, "error: no window: %s; --frames and --script need one\n", problem.c_str());
    return kFailedRun;
  }
  std::fprintf(stderr, "note: no window: %s; running headless\n", problem.c_str());
  return runHeadless(plan, options);
}

}  // namespace
}  // namespace odemesh::sandbox

int main(int argc, char** argv) {
  using namespace odemesh;
  const auto failed = [&](const std::exception& error, int code) {
    std::fprintf(stderr, "error: %s\n", error.what());
    sandbox::replaceJunit(sandbox::junitFileIn(argc, argv), error.what());
    return code;
  };
  try {
    sandbox::sayMessagesOfOdeOnce();
    const auto parsed = sandbox::parseOptions(argc, argv);
    if (const int* code = std::get_if<int>(&parsed)) return *code;
    return sandbox::runProgram(std::get<sandbox::Options>(parsed));
  } catch (const sim::InputError& error) {
    return failed(error, sandbox::kBadInput);
  } catch (const std::exception& error) {
    return failed(error, sandbox::kFailedRun);
  }
}
