// odemesh-scenes: runs scenes with odemesh, ODE's own collider and primitives, and prints their figures side
// by side.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <odemesh/sim/scenes/scene.hpp>
#include <optional>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "../sandbox/exit_code.hpp"
#include "../sandbox/number_option.hpp"
#include "../sandbox/ode_messages.hpp"
#include "../sandbox/suggestion.hpp"
#include "cost.hpp"

namespace {

using odemesh::sim::Collider;
using odemesh::sim::CostReport;
using odemesh::sim::CostStates;
using odemesh::sim::Figure;
using odemesh::sim::Scene;
using odemesh::sim::SceneOptions;
using odemesh::sim::SceneReport;
using odemesh::sim::Solver;

const std::vector<std::string> kColliders = {"odemesh", "ode", "primitive"};

struct Arguments {
  bool list = false;
  std::string only = ".*";
  std::string collider = "all";
  bool quick = false;
  bool plain = false;
  std::string solver;
  std::string json;
  std::string cost;
  double budget = 120;
  std::optional<int> cells, max_contacts, iterations;
  std::optional<double> scale, rate, far;
  std::optional<std::uint64_t> askew;
};

struct Tally {
  int run = 0, passed = 0;
};

SceneOptions optionsFor(const Scene& scene, const Arguments& arguments, const std::string& collider) {
  SceneOptions options = scene.options;
  options.collider = collider == "odemesh" ? Collider::kOdemesh : Collider::kOde;
  options.primitives = collider == "primitive";
  options.quick = arguments.quick;
  options.speculative = !arguments.plain;
  options.cells = arguments.cells.value_or(options.cells);
  options.max_contacts = arguments.max_contacts.value_or(options.max_contacts);
  if (!arguments.solver.empty())
    options.solver = arguments.solver == "exact" ? Solver::kExact : Solver::kQuick;
  options.iterations = arguments.iterations.value_or(options.iterations);
  options.scale = arguments.scale.value_or(options.scale);
  if (arguments.rate) options.dt = 1 / *arguments.rate;
  options.askew = arguments.askew.value_or(options.askew);
  if (arguments.far) options.offset = odemesh::Vec3{0.6, -0.8, 0.05} * *arguments.far;
  return options;
}

SceneReport runWithin(const Scene& scene, const SceneOptions& options, double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  return runScene(scene, options, [end] { return Clock::now() < end; });
}

std::string figureText(const Figure& figure) {
  char text[160];
  std::snprintf(text, sizeof text, "%s%s %.3g%s%s (%s %.3g)", figure.passes() ? "" : "!", figure.name.c_str(),
                figure.value, figure.unit.empty() ? "" : " ", figure.unit.c_str(),
                figure.bound == Figure::Bound::kAtMost ? "<=" : ">=", figure.limit);
  return text;
}

void print(const std::string& collider, const SceneReport& report) {
  std::printf("  %-9s %s  %8.3f + %8.3f ms %6.1f contacts ", collider.c_str(),
              report.passed() ? "ok  " : "FAIL", report.collision_ms, report.solver_ms, report.contacts);
  for (const Figure& figure : report.figures) std::printf(" | %s", figureText(figure).c_str());
  if (!report.failure.empty()) std::printf(" | %s", report.failure.c_str());
  std::printf("\n");
  std::fflush(stdout);
}

nlohmann::json toJson(const SceneReport& report) {
  nlohmann::json figures = nlohmann::json::object();
  for (const Figure& figure : report.figures)
    figures[figure.name] = {{"value", figure.value},
                            {"limit", figure.limit},
                            {"unit", figure.unit},
                            {"at_least", figure.bound == Figure::Bound::kAtLeast},
                            {"passes", figure.passes()}};
  return {{"passed", report.passed()},    {"failure", report.failure},
          {"figures", figures},           {"steps", report.steps},
          {"contacts", report.contacts},  {"collision_ms", report.collision_ms},
          {"solver_ms", report.solver_ms}};
}

/// Runs one scene with each collider that was asked for. Primitives run first, quietly if they were not asked
/// for: limits may depend on them.
nlohmann::json runAll(const Scene& scene, const Arguments& arguments, std::map<std::string, Tally>& tallies) {
  std::printf("%s: %s\n", scene.name.c_str(), scene.description.c_str());
  std::fflush(stdout);
  nlohmann::json out = {{"description", scene.description}};
  std::optional<SceneReport> primitives;
  if (scene.has_primitives)
    primitives = runWithin(scene, optionsFor(scene, arguments, "primitive"), arguments.budget);
  for (const std::string& collider : kColliders) {
    const bool is_primitive = collider == "primitive";
    if ((arguments.collider != "all" && arguments.collider != collider) || (is_primitive && !primitives))
      continue;
    SceneReport report = is_primitive
                             ? *primitives
                             : runWithin(scene, optionsFor(scene, arguments, collider), arguments.budget);
    if (primitives) compareWithPrimitives(report, *primitives);
    ++tallies[collider].run;
    tallies[collider].passed += report.passed() ? 1 : 0;
    print(collider, report);
    out[collider] = toJson(report);
  }
  return out;
}

/// How many times faster odemesh is, scene by scene.
struct Ratio {
  double value;
  std::string scene;
};

struct CostTally {
  std::vector<Ratio> collision, step;

  void add(const std::string& scene, const CostReport& cost) {
    collision.push_back({cost.collisionRatio(), scene});
    step.push_back({cost.stepRatio(), scene});
  }
};

void printCost(const std::string& scene, const CostReport& cost) {
  if (cost.steps == 0) {
    std::printf("%-28s too few steps to measure%s%s\n", scene.c_str(), cost.failure.empty() ? "" : ": ",
                cost.failure.c_str());
  } else {
    std::printf("%-28s collision %8.4f %8.4f ms %6.2fx   step %8.4f %8.4f ms %6.2fx   contacts %5.0f %5.0f\n",
                scene.c_str(), cost.odemesh.collision_ms, cost.ode.collision_ms, cost.collisionRatio(),
                cost.odemesh.step_ms, cost.ode.step_ms, cost.stepRatio(), cost.odemesh.contacts,
                cost.ode.contacts);
  }
  std::fflush(stdout);
}

nlohmann::json toJson(const CostReport& cost) {
  const auto of = [](const odemesh::sim::Cost& c) -> nlohmann::json {
    return {{"collision_ms", c.collision_ms}, {"step_ms", c.step_ms}, {"contacts", c.contacts}};
  };
  return {
      {"odemesh", of(cost.odemesh)}, {"ode", of(cost.ode)}, {"steps", cost.steps}, {"failure", cost.failure}};
}

nlohmann::json costOf(const Scene& scene, const Arguments& arguments, CostTally& tally) {
  const CostReport cost =
      measureCost(scene, optionsFor(scene, arguments, "odemesh"),
                  arguments.cost == "same" ? CostStates::kSame : CostStates::kOwn, arguments.budget);
  if (cost.steps > 0) tally.add(scene.name, cost);
  printCost(scene.name, cost);
  return toJson(cost);
}

void summarise(const std::string& what, std::vector<Ratio> ratios) {
  constexpr std::size_t kWorst = 15;
  if (ratios.empty()) return;
  std::sort(ratios.begin(), ratios.end(), [](const Ratio& a, const Ratio& b) { return a.value < b.value; });
  double log_sum = 0;
  for (const Ratio& r : ratios) log_sum += std::log(r.value);
  const auto faster = std::count_if(ratios.begin(), ratios.end(), [](const Ratio& r) { return r.value > 1; });
  std::printf("%s: faster than ODE's own in %d of %zu scenes, %.2fx in the geometric mean; the least:\n",
              what.c_str(), static_cast<int>(faster), ratios.size(),
              std::exp(log_sum / static_cast<double>(ratios.size())));
  for (std::size_t i = 0; i < std::min(kWorst, ratios.size()); ++i)
    std::printf("  %6.2fx %s\n", ratios[i].value, ratios[i].scene.c_str());
}

void addOptions(CLI::App& app, Arguments& a) {
  app.add_flag("--list", a.list, "print the scenes' names and descriptions");
  app.add_option("--only", a.only, "run scenes whose name contains a match of this regular expression");
  app.add_option("--collider", a.collider, "odemesh, ode, primitive or all")
      ->check(CLI::IsMember({"odemesh", "ode", "primitive", "all"}));
  app.add_flag("--quick", a.quick, "shorter runs");
  app.add_flag("--plain", a.plain,
               "dCollide alone, as in a program that calls odemeshInstall and nothing else");
  app.add_option("--json", a.json, "write everything to this file, too");
  app.add_option("--cost", a.cost,
                 "in place of figures, what a step costs with odemesh and with ODE's own collider, step by "
                 "step in turn: each at its own states, or both at the same, those of odemesh's run")
      ->check(CLI::IsMember({"own", "same"}));
  app.add_option("--budget", a.budget, "seconds after which a run is ended as failed (--cost: and counts)")
      ->transform(odemesh::sandbox::real(1e-3, 1e9));
  app.add_option("--cells", a.cells, "squares along an edge of a face, for every scene")
      ->transform(odemesh::sandbox::whole(1, 64));
  app.add_option("--max-contacts", a.max_contacts, "contacts of a pair of geoms, for every scene")
      ->transform(odemesh::sandbox::whole(1, 65535));
  app.add_option("--solver", a.solver, "quick or exact, for every scene; else the scene's own")
      ->check(CLI::IsMember({"quick", "exact"}));
  app.add_option("--iterations", a.iterations, "QuickStep's iterations, for every scene")
      ->transform(odemesh::sandbox::whole(1, 1e6));
  app.add_option("--scale", a.scale, "size of every scene")->transform(odemesh::sandbox::real(1e-6, 1e6));
  app.add_option("--rate", a.rate, "steps a second, for every scene")
      ->transform(odemesh::sandbox::real(1, 1e6));
  app.add_option("--far", a.far, "how far from the origin every scene lies, in metres")
      ->transform(odemesh::sandbox::real(0, 1e9));
  app.add_option("--askew", a.askew, "number of a rotation by which every mesh lies askew in its own frame")
      ->transform(odemesh::sandbox::whole(0, 1e9));
}

/// Opened before the scenes run, which may take an hour.
std::ofstream openJson(const std::string& file) {
  std::ofstream out;
  if (!file.empty()) out.open(file);
  if (!out)
    throw std::runtime_error("--json: '" + file + "' can't be written; give a file in a folder that exists");
  return out;
}

std::regex expressionOf(const std::string& names) try {
  return std::regex(names);
} catch (const std::regex_error& error) {
  throw std::runtime_error("--only: '" + names + "' is no regular expression (" + error.what() +
                           "); put a backslash before a character that is to stand for itself");
}

std::vector<const Scene*> scenesWithin(const std::string& names) {
  const std::regex only = expressionOf(names);
  std::vector<const Scene*> out;
  for (const Scene& scene : odemesh::sim::allScenes())
    if (std::regex_search(scene.name, only)) out.push_back(&scene);
  if (out.empty())
    throw std::runtime_error("--only: no scene's name has a match of '" + names + "'; --list names them");
  return out;
}

/// Beside the others, ODE's own collider and primitives are there to compare.
bool hasFailed(const Arguments& arguments, const std::map<std::string, Tally>& tallies) {
  const auto judged = tallies.find(arguments.collider == "all" ? "odemesh" : arguments.collider);
  return judged != tallies.end() && judged->second.passed < judged->second.run;
}

int report(const Arguments& arguments) {
  const std::vector<const Scene*> scenes = scenesWithin(arguments.only);
  std::ofstream json = openJson(arguments.json);
  std::map<std::string, Tally> tallies;
  CostTally costs;
  nlohmann::json all = nlohmann::json::object();
  for (const Scene* scene : scenes) {
    if (arguments.list)
      std::printf("%-28s %s\n", scene->name.c_str(), scene->description.c_str());
    else if (!arguments.cost.empty())
      all[scene->name] = costOf(*scene, arguments, costs);
    else
      all[scene->name] = runAll(*scene, arguments, tallies);
  }
  for (const std::string& collider : kColliders)
    if (tallies.count(collider) != 0)
      std::printf("%-9s %d of %d scenes passed\n", collider.c_str(), tallies[collider].passed,
                  tallies[collider].run);
  summarise("collision", costs.collision);
  summarise("step", costs.step);
  if (json.is_open() && !(json << all.dump(1) << "\n" << std::flush))
    throw std::runtime_error("--json: '" + arguments.json + "' can't be written; is the disk full?");
  return hasFailed(arguments, tallies) ? odemesh::sandbox::kFailedRun : odemesh::sandbox::kGood;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Runs the scene library and prints figures and verdicts; a figure that failed has a ! before it"};
  Arguments arguments;
  addOptions(app, arguments);
  app.footer(
      "Exit codes: 0; 1 if a scene failed with odemesh, or with the one collider that --collider names; 2 "
      "for "
      "bad input.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return odemesh::sandbox::exitCodeFor(app, error);
  }
  odemesh::sandbox::sayMessagesOfOdeOnce();
  try {
    return report(arguments);
  } catch (const std::exception& error) {
    std::cerr << "odemesh-scenes: " << error.what() << "\n";
    return odemesh::sandbox::kBadInput;
  }
}
