// odemesh-scenes: runs scenes with odemesh, ODE's own collider and primitives, and prints their figures side
// by side.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <odemesh/sim/scenes/scene.hpp>
#include <optional>
#include <regex>
#include <string>
#include <vector>

namespace {

using odemesh::sim::Collider;
using odemesh::sim::Figure;
using odemesh::sim::Scene;
using odemesh::sim::SceneOptions;
using odemesh::sim::SceneReport;

const std::vector<std::string> kColliders = {"odemesh", "ode", "primitive"};

struct Arguments {
  bool list = false;
  std::string only = ".*";
  std::string collider = "all";
  bool quick = false;
  std::string json;
  double budget = 120;
  std::optional<int> cells, max_contacts, iterations;
  std::optional<double> scale, rate;
};

struct Tally {
  int run = 0, passed = 0;
};

SceneOptions optionsFor(const Scene& scene, const Arguments& arguments, const std::string& collider) {
  SceneOptions options = scene.options;
  options.collider = collider == "odemesh" ? Collider::kOdemesh : Collider::kOde;
  options.primitives = collider == "primitive";
  options.quick = arguments.quick;
  options.cells = arguments.cells.value_or(options.cells);
  options.max_contacts = arguments.max_contacts.value_or(options.max_contacts);
  options.iterations = arguments.iterations.value_or(options.iterations);
  options.scale = arguments.scale.value_or(options.scale);
  if (arguments.rate) options.dt = 1 / *arguments.rate;
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

void addOptions(CLI::App& app, Arguments& a) {
  app.add_flag("--list", a.list, "print the scenes' names and descriptions");
  app.add_option("--only", a.only, "run scenes whose name contains a match of this regular expression");
  app.add_option("--collider", a.collider, "odemesh, ode, primitive or all")
      ->check(CLI::IsMember({"odemesh", "ode", "primitive", "all"}));
  app.add_flag("--quick", a.quick, "shorter runs");
  app.add_option("--json", a.json, "write everything to this file, too");
  app.add_option("--budget", a.budget, "seconds after which a run is ended as failed");
  app.add_option("--cells", a.cells, "squares along an edge of a face, for every scene");
  app.add_option("--max-contacts", a.max_contacts, "contacts of a pair of geoms, for every scene");
  app.add_option("--iterations", a.iterations, "QuickStep's iterations, for every scene");
  app.add_option("--scale", a.scale, "size of every scene");
  app.add_option("--rate", a.rate, "steps a second, for every scene");
}

int report(const Arguments& arguments) {
  const std::regex only(arguments.only);
  std::map<std::string, Tally> tallies;
  nlohmann::json all = nlohmann::json::object();
  for (const Scene& scene : odemesh::sim::allScenes()) {
    if (!std::regex_search(scene.name, only)) continue;
    if (arguments.list)
      std::printf("%-28s %s\n", scene.name.c_str(), scene.description.c_str());
    else
      all[scene.name] = runAll(scene, arguments, tallies);
  }
  for (const std::string& collider : kColliders)
    if (tallies.count(collider) != 0)
      std::printf("%-9s %d of %d scenes passed\n", collider.c_str(), tallies[collider].passed,
                  tallies[collider].run);
  if (!arguments.json.empty()) std::ofstream(arguments.json) << all.dump(1) << "\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Runs the scene library and prints figures and verdicts; a figure that failed has a ! before it"};
  Arguments arguments;
  addOptions(app, arguments);
  CLI11_PARSE(app, argc, argv);
  try {
    return report(arguments);
  } catch (const std::exception& error) {
    std::cerr << "odemesh-scenes: " << error.what() << "\n";
    return 1;
  }
}
