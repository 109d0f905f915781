#include "headless.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/recording.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "check.hpp"
#include "exit_code.hpp"
#include "picture.hpp"
#include "report.hpp"
#include "run.hpp"

namespace odemesh::sandbox {
namespace {

std::vector<sim::Collider> collidersOf(const Options& options) {
  if (options.side_by_side) return {sim::Collider::kOdemesh, sim::Collider::kOde};
  return {options.world.collider};
}

std::vector<Expectation> expectationsOf(const Plan& plan, const Options& options) {
  if (options.expect.empty()) return {};
  if (plan.scene != nullptr)
    throw sim::InputError("--expect: is for files; scenes have figures of their own");
  const auto again = [&] { return std::move(makeRun(plan, options.world.collider).world); };
  std::vector<Expectation> out;
  for (const std::string& text : options.expect) out.push_back(parseExpectation(text, again));
  return out;
}

/// The worlds of one headless run, and everything that is written of them on the way.
class Headless {
 public:
  Headless(const Plan& plan, const Options& options)
      : plan_(plan),
        options_(options),
        expectations_(expectationsOf(plan, options)),
        json_(options.json, options.json_every) {
    for (const sim::Collider collider : collidersOf(options))
      runs_.push_back(
          std::make_unique<Run>(makeRun(plan, collider), plan, options.stop_at_rest, watchFrom()));
    startRecording();
    startFilm();
  }

  void run() {
    Progress progress(plan_.steps, !options_.quiet);
    while (!isDone()) {
      for (const auto& run : runs_) {
        if (run->isDone()) continue;
        json_.write(run->step(), run->world().settings().collider);
      }
      if (recording_) recording_->add();
      if (film_) film_->add(time());
      progress.show(runs_[0]->world().metrics());
    }
  }

  int finish() {
    bool good = true;
    for (const auto& run : runs_) {
      const Summary summary = run->summary();
      const sim::Collider collider = run->world().settings().collider;
      json_.write(summary, collider, options_, plan_);
      if (!options_.quiet) std::fputs(describe(summary, collider).c_str(), stdout);
      if (run == runs_[0]) good = summary.failure.empty();
    }
    json_.close();
    saveRecording();
    saveFilm();
    saveScreenshot();
    return judge() && good ? kGood : kFailedRun;
  }

 private:
  // The first run alone is judged.
  [[nodiscard]] std::optional<std::uint64_t> watchFrom() const {
    if (expectations_.empty() || !runs_.empty()) return std::nullopt;
    const auto steps = static_cast<std::uint64_t>(std::ceil(options_.settle / plan_.settings.dt - 1e-9));
    if (steps >= plan_.steps)
      throw sim::InputError(
          "--settle: nothing is left of the run after that; give a shorter time, or more --seconds");
    return steps;
  }

  [[nodiscard]] bool isDone() const {
    return std::all_of(runs_.begin(), runs_.end(), [](const auto& run) { return run->isDone(); });
  }

  [[nodiscard]] double time() const {
    double time = 0;
    for (const auto& run : runs_) time = std::max(time, run->world().metrics().time);
    return time;
  }

  [[nodiscard]] std::vector<const sim::World*> worlds() const {
    std::vector<const sim::World*> out;
    out.reserve(runs_.size());
    for (const auto& run : runs_) out.push_back(&run->world());
    return out;
  }

  void say(const char* what, const std::string& text) const {
    if (!options_.quiet) std::printf("%-16s %s\n", what, text.c_str());
  }

  void startRecording() {
    if (options_.record.empty()) return;
    if (!sim::canSaveRecordings())
      throw sim::InputError("--record: this build has no tinygltf; see packages.txt");
    recording_.emplace(runs_[0]->world(), options_.fps);
    recording_->note("initial_hash", sim::hashText(runs_[0]->world().stateHash()));
    recording_->note("arguments", nlohmann::json(options_.arguments).dump());
    recording_->note("folder", std::filesystem::current_path().string());
  }

  void saveRecording() {
    if (!recording_) return;
    recording_->note("hash", sim::hashText(runs_[0]->world().stateHash()));
    recording_->save(options_.record);
    say("recording", options_.record + " (" + std::to_string(recording_->frameCount()) + " frames)");
  }

  void startFilm() {
    if (options_.video.empty()) return;
    film_.emplace(worlds(), options_);
    if (!film_->problem().empty()) std::fprintf(stderr, "warning: no video: %s\n", film_->problem().c_str());
    film_->add(0);
  }

  void saveFilm() {
    if (!film_ || !film_->problem().empty()) return;
    const std::size_t frames = film_->finish();
    say("video", options_.video + " (" + std::to_string(frames) + " frames)");
  }

  void saveScreenshot() const {
    if (options_.screenshot.empty()) return;
    if (const std::string problem = savePicture(worlds(), options_); !problem.empty()) {
      std::fprintf(stderr, "warning: no picture: %s\n", problem.c_str());
    } else {
      say("picture", options_.screenshot);
    }
  }

  // Whether everything came true that was expected.
  [[nodiscard]] bool judge() const {
    std::vector<Outcome> outcomes;
    bool good = true;
    for (const Expectation& expectation : expectations_) {
      const sim::Verdict verdict = expectation.judge(*runs_[0]->trial());
      good = good && verdict.passed;
      std::printf("%-6s %s: %s\n", verdict ? "passed" : "FAILED", expectation.text.c_str(),
                  verdict.text.c_str());
      outcomes.push_back({expectation.text, verdict});
    }
    if (!options_.junit.empty()) writeJunit(options_.junit, options_.files[0], outcomes);
    return good;
  }

  const Plan& plan_;
  const Options& options_;
  std::vector<Expectation> expectations_;
  JsonLines json_;
  std::vector<std::unique_ptr<Run>> runs_;
  std::optional<sim::Recording> recording_;
  std::optional<Film> film_;
};

}  // namespace

int runHeadless(const Plan& plan, const Options& options) {
  Headless headless(plan, options);
  headless.run();
  return headless.finish();
}

}  // namespace odemesh::sandbox
