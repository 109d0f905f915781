#include "replay.hpp"

#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/recording.hpp>
#include <string>
#include <vector>

#include "exit_code.hpp"
#include "report.hpp"
#include "run.hpp"

namespace odemesh::sandbox {

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
  if (recorded == nullptr || !recorded->replay.empty() || !recorded->play.empty())
    throw sim::InputError(options.replay + ": its arguments can't be used; record it again");
  const Plan plan = makePlan(*recorded);
  Run run(makeRun(plan, recorded->world.collider), plan, recorded->stop_at_rest);
  const bool same_start = sim::hashText(run.world().stateHash()) == note("initial_hash");
  if (!same_start) std::fputs("the initial state differs: a file of the run has changed\n", stderr);
  Progress progress(plan.steps, !options.quiet);
  while (!run.isDone()) progress.show(run.step());
  const sim::StepMetrics last = run.summary().last;
  const std::string hash = sim::hashText(last.hash);
  const bool same = hash == note("hash");
  std::printf("replay           %s after %llu steps; recorded was %s\n", hash.c_str(),
              static_cast<unsigned long long>(last.step), note("hash").c_str());
  return same && same_start ? kGood : kFailedRun;
}

}  // namespace odemesh::sandbox
