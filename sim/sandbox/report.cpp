#include "report.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <odemesh/sim/input_error.hpp>
#include <sstream>
#include <utility>

namespace odemesh::sandbox {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kBarWidth = 24;

std::string hex(std::uint64_t hash) {
  std::ostringstream out;
  out << std::hex << std::setw(16) << std::setfill('0') << hash;
  return out.str();
}

Json toJson(const sim::StepMetrics& step, sim::Collider collider) {
  return {{"type", "step"},
          {"collider", sim::colliderName(collider)},
          {"step", step.step},
          {"time", step.time},
          {"kinetic_energy", step.kinetic_energy},
          {"potential_energy", step.potential_energy},
          {"pairs", step.pairs},
          {"touching_pairs", step.touching_pairs},
          {"contacts", step.contacts},
          {"rejected_contacts", step.rejected_contacts},
          {"greatest_depth", step.greatest_depth},
          {"greatest_speed", step.greatest_speed},
          {"rms_speed", step.rms_speed},
          {"collision_ms", step.collision_ms},
          {"solver_ms", step.solver_ms},
          {"hash", hex(step.hash)}};
}

Json toJson(const Options& options, sim::Collider collider, const Plan& plan) {
  const sim::WorldSettings& world = plan.settings;
  return {{"files", options.files},
          {"scene", options.scene.empty() ? Json(nullptr) : Json(options.scene)},
          {"count", plan.bodies.empty() ? Json(nullptr) : Json(plan.bodies.size() - 1)},
          {"seed", options.seed},
          {"spacing", options.spacing},
          {"drop", options.drop ? Json(*options.drop) : Json(nullptr)},
          {"ground", options.ground},
          {"scale", options.load.scale},
          {"up", options.up},
          {"density", options.density},
          {"mass", options.mass ? Json(*options.mass) : Json(nullptr)},
          {"collider", sim::colliderName(collider)},
          {"dt", world.dt},
          {"steps", plan.steps},
          {"gravity", world.gravity.z},
          {"mu", world.surface.mu},
          {"restitution", world.surface.restitution},
          {"bounce_threshold", world.surface.bounce_threshold},
          {"max_contacts", world.max_contacts},
          {"threads", world.threads},
          {"solver", sim::solverName(world.solver)},
          {"iterations", world.iterations},
          {"erp", world.erp},
          {"cfm", world.cfm},
          {"max_correcting_speed", world.max_correcting_speed}};
}

Json toJson(const Summary& s) {
  return {{"type", "summary"},
          {"verdict", verdict(s)},
          {"failure", s.failure.empty() ? Json(nullptr) : Json(s.failure)},
          {"bodies", s.bodies},
          {"triangles", s.triangles},
          {"steps", s.last.step},
          {"time", s.last.time},
          {"contacts", s.last.contacts},
          {"most_contacts", s.most_contacts},
          {"rejected_contacts", s.rejected_contacts},
          {"depth", s.last.greatest_depth},
          {"greatest_depth", s.greatest_depth},
          {"rms_speed", s.rms_speed},
          {"rest_threshold", s.rest_threshold},
          {"at_rest", s.at_rest},
          {"lowest_point", s.lowest_point},
          {"kinetic_energy", s.last.kinetic_energy},
          {"potential_energy", s.last.potential_energy},
          {"collision_ms", s.mean_collision_ms},
          {"solver_ms", s.mean_solver_ms},
          {"hash", hex(s.last.hash)}};
}

Json toJson(const odemeshCounters& c) {
  return {{"pairs", c.pairs},
          {"colliding_pairs", c.colliding_pairs},
          {"contacts", c.contacts},
          {"contacts_dropped", c.contacts_dropped},
          {"meshes_built", c.meshes_built},
          {"meshes_without_inside", c.meshes_without_inside},
          {"bad_triangles", c.bad_triangles},
          {"zero_area_triangles", c.zero_area_triangles},
          {"contained_pairs", c.contained_pairs},
          {"unsound_contacts", c.unsound_contacts},
          {"data_changes", c.data_changes},
          {"repeated_pairs", c.repeated_pairs},
          {"errors", c.errors}};
}

/// What did not go as a user would wish, a line each; most runs have none.
std::string describe(const odemeshCounters& c) {
  std::ostringstream out;
  const auto line = [&](const char* name, unsigned long long count, const char* what) {
    if (count > 0) out << std::left << std::setw(17) << name << count << what << "\n";
  };
  line("dropped", c.contacts_dropped, " contacts beyond --max-contacts");
  line("left out", c.bad_triangles, " triangles without area or not finite");
  line("without inside", c.meshes_without_inside, " meshes: open, inconsistent or inside out");
  line("contained", c.contained_pairs, " collisions of one body inside another");
  line("unsound", c.unsound_contacts, " contacts that were not finite, left out");
  line("errors", c.errors, " collisions that could not be computed");
  return out.str();
}

}  // namespace

Progress::Progress(std::uint64_t steps, bool enabled)
    : steps_(steps),
      enabled_(enabled && isatty(STDERR_FILENO) != 0),
      next_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  if (enabled_) std::fputs("\r\033[K", stderr);
}

void Progress::show(const sim::StepMetrics& step) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(2) << step.time << " s simulated, " << step.contacts
       << " contacts, RMS speed " << std::defaultfloat << std::setprecision(3) << step.rms_speed << " m/s";
  show(static_cast<double>(step.step) / static_cast<double>(steps_), text.str());
}

void Progress::show(double share, const std::string& text) {
  if (!enabled_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  std::string bar(kBarWidth, '-');
  bar.replace(0, static_cast<std::size_t>(share * kBarWidth), static_cast<std::size_t>(share * kBarWidth),
              '#');
  std::fprintf(stderr, "\r\033[K[%s] %3.0f%%  %s", bar.c_str(), 100 * share, text.c_str());
}

JsonLines::JsonLines(std::string file, std::uint64_t every) : file_(std::move(file)), every_(every) {
  if (file_.empty()) return;
  out_.open(file_);
  if (!out_)
    throw sim::InputError("--json: '" + file_ + "' can't be written (" + std::strerror(errno) +
                          "); give a file in a folder that exists");
}

void JsonLines::writeLine(const std::string& line) {
  if (!file_.empty()) out_ << line << '\n';
}

void JsonLines::write(const sim::StepMetrics& step, sim::Collider collider) {
  if (!file_.empty() && step.step % every_ == 0) writeLine(toJson(step, collider).dump());
}

void JsonLines::write(const Summary& summary, sim::Collider collider, const Options& options,
                      const Plan& plan) {
  if (file_.empty()) return;
  Json line = toJson(summary);
  line["counters"] = collider == sim::Collider::kOdemesh ? toJson(summary.counters) : Json(nullptr);
  line["version"] = ODEMESH_VERSION;
  line["options"] = toJson(options, collider, plan);
  writeLine(line.dump());
}

void JsonLines::close() {
  if (file_.empty()) return;
  out_.close();
  if (!out_)
    throw sim::InputError("--json: '" + file_ + "' could not be written completely; is the disk full?");
}

std::string verdict(const Summary& summary) {
  if (!summary.failure.empty()) return "failed";
  return summary.at_rest ? "at rest" : "still moving";
}

std::string describe(const Summary& s, sim::Collider collider) {
  std::ostringstream out;
  out << std::setprecision(4);
  out << "bodies           " << s.bodies << " (" << s.triangles << " triangles)\n"
      << "simulated        " << s.last.time << " s in " << s.last.step << " steps, collider "
      << sim::colliderName(collider) << "\n"
      << "contacts         " << s.last.contacts << " at the end, " << s.most_contacts << " at most\n"
      << "depth            " << s.last.greatest_depth << " m at the end, " << s.greatest_depth
      << " m at most\n"
      << "RMS speed        " << s.rms_speed << " m/s over the last " << s.rest_seconds << " s (at rest below "
      << s.rest_threshold << " over 0.25 s)\n"
      << "lowest point     " << s.lowest_point << " m over " << (s.has_ground ? "the ground" : "z = 0")
      << "\n"
      << "time per step    " << s.mean_collision_ms << " ms collision, " << s.mean_solver_ms << " ms solver\n"
      << "state hash       " << hex(s.last.hash) << "\n";
  if (s.rejected_contacts > 0)
    out << "rejected         " << s.rejected_contacts
        << " contacts that were not finite or without a unit normal\n";
  out << describe(s.counters);
  out << "verdict          " << verdict(s);
  if (!s.failure.empty()) out << ": " << s.failure;
  out << "\n";
  return out.str();
}

}  // namespace odemesh::sandbox
