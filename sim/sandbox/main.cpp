// odemesh-sandbox: parse, plan, run, report.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/recording.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "check.hpp"
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
  worlds.reserve(runs.size());
  for (const sim::SceneRun& run : runs) worlds.push_back(run.world.get());
  if (const std::string problem = savePicture(worlds, options); !problem.empty()) {
    std::fprintf(stderr, "warning: no picture: %s\n", problem.c_str());
  } else if (!options.quiet) {
    std::printf("picture          %s\n", options.screenshot.c_str());
  }
}

// A recording of the run, if one is asked for.
std::optional<sim::Recording> startRecording(const sim::SceneRun& scene, const Options& options) {
  if (options.record.empty()) return std::nullopt;
  if (!sim::canSaveRecordings())
    throw sim::InputError("--record: this build has no tinygltf; see packages.txt");
  std::optional<sim::Recording> out(std::in_place, *scene.world);
  out->note("initial_hash", sim::hashText(scene.world->stateHash()));
  out->note("arguments", nlohmann::json(options.arguments).dump());
  out->note("folder", std::filesystem::current_path().string());
  return out;
}

void saveRecording(sim::Recording& recording, const sim::World& world, const Options& options) {
  recording.note("hash", sim::hashText(world.stateHash()));
  recording.save(options.record);
  if (!options.quiet)
    std::printf("recording        %s (%zu frames)\n", options.record.c_str(), recording.frameCount());
}

Summary runOnce(sim::SceneRun& scene, const Plan& plan, const Options& options, JsonLines& json) {
  Summary summary;
  std::optional<sim::Recording> recording = startRecording(scene, options);
  {
    Progress progress(plan.steps, !options.quiet);
    summary = run(scene, plan, options.stop_at_rest, [&](const sim::StepMetrics& step) {
      progress.show(step);
      json.write(step);
      if (recording) recording->add();
    });
  }
  json.write(summary, options, plan);
  if (!options.quiet) std::fputs(describe(summary, options).c_str(), stdout);
  if (recording) saveRecording(*recording, *scene.world, options);
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

// Runs the plan once more, watched, and judges what was expected of it.
int runCheck(const Plan& plan, const Options& options) {
  const auto make = [&] { return std::move(makeRun(plan, options.world.collider).world); };
  if (plan.scene != nullptr)
    throw sim::InputError("--expect: is for files; scenes have figures of their own");
  std::vector<Expectation> expectations;
  for (const std::string& text : options.expect) expectations.push_back(parseExpectation(text, make));
  sim::Trial trial(make());
  trial.run(plan.steps);
  std::vector<Outcome> outcomes;
  bool good = true;
  for (const Expectation& expectation : expectations) {
    const sim::Verdict verdict = expectation.judge(trial);
    good = good && verdict.passed;
    std::printf("%-6s %s: %s\n", verdict ? "passed" : "FAILED", expectation.text.c_str(),
                verdict.text.c_str());
    outcomes.push_back({expectation.text, verdict});
  }
  if (!options.junit.empty()) writeJunit(options.junit, options.files[0], outcomes);
  return good ? kGood : kFailedRun;
}

// Repeats a recorded run, without its output files, and compares first and last state.
int replay(const Options& options) {
  const std::map<std::string, std::string> notes = sim::readRecordingNotes(options.replay);
  const auto note = [&](const std::string& key) {
    const auto found = notes.find(key);
    if (found == notes.end())
      throw sim::InputError(options.replay + ": has no '" + key + "'; record it again");
    return found->second;
  };
  const auto list = nlohmann::json::parse(note("arguments"), nullptr, false);
  if (!list.is_array())
    throw sim::InputError(options.replay + ": its arguments are damaged; record it again");
  std::vector<std::string> arguments = {"odemesh-sandbox"};
  for (const auto& each : list) arguments.push_back(each.is_string() ? each.get<std::string>() : "");
  std::vector<const char*> argv;
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::error_code ignored;  // of a folder that is gone; then the files are looked for here
  std::filesystem::current_path(note("folder"), ignored);
  const auto parsed = parseOptions(static_cast<int>(argv.size()), argv.data());
  const Options* recorded = std::get_if<Options>(&parsed);
  if (recorded == nullptr || !recorded->replay.empty())
    throw sim::InputError(options.replay + ": its arguments can't be used; record it again");
  const Plan plan = makePlan(*recorded);
  sim::SceneRun scene = makeRun(plan, recorded->world.collider);
  const bool same_start = sim::hashText(scene.world->stateHash()) == note("initial_hash");
  if (!same_start) std::fputs("the initial state differs: a file of the run has changed\n", stderr);
  const Summary summary = run(scene, plan, recorded->stop_at_rest, [](const sim::StepMetrics&) {});
  const std::string hash = sim::hashText(summary.last.hash);
  const bool same = hash == note("hash");
  std::printf("replay           %s after %llu steps; recorded was %s\n", hash.c_str(),
              static_cast<unsigned long long>(summary.last.step), note("hash").c_str());
  return same && same_start ? kGood : kFailedRun;
}

int runProgram(const Options& options) {
  if (!options.replay.empty()) return replay(options);
  if (options.scene == "list") {
    std::fputs(listOfScenes().c_str(), stdout);
    return kGood;
  }
  const Plan plan = makePlan(options);
  for (const std::string& warning : plan.warnings) std::fprintf(stderr, "warning: %s\n", warning.c_str());
  if (!options.expect.empty()) return runCheck(plan, options);
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
