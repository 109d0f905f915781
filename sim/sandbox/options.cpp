#include "options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <odemesh/sim/collision_pass.hpp>
#include <odemesh/sim/mesh_source.hpp>

#include "check.hpp"
#include "exit_code.hpp"
#include "manual.hpp"
#include "number_option.hpp"
#include "picture.hpp"
#include "suggestion.hpp"
#include "useless_option.hpp"

namespace odemesh::sandbox {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMostBodies = 10000;
constexpr double kMostSteps = 1e9;

// An option whose value was forgotten would otherwise swallow the next one.
CLI::Validator fileName() {
  const auto check = [](std::string& text) -> std::string {
    return text.empty() || text[0] == '-' ? "'" + text + "' can't be the name of a file; give one" : "";
  };
  return {check, "", "file name"};
}

// Of FILES, whose names may begin with any letter behind "--".
CLI::Validator anyFileName() {
  const auto check = [](std::string& text) -> std::string {
    return text.empty() ? "'' can't be the name of a file; give one" : "";
  };
  return {check, "", "file name"};
}

CLI::Validator sceneName() {
  const auto check = [](std::string& text) -> std::string {
    return text.empty() ? "'' can't be the name of a scene; --scene list names them" : "";
  };
  return {check, "", "scene name"};
}

CLI::Validator folderName() {
  const auto check = [](std::string& text) -> std::string {
    std::error_code ignored;
    return std::filesystem::is_directory(text, ignored) ? ""
                                                        : "'" + text + "' is no folder; give one that exists";
  };
  return {check, "", "folder name"};
}

// The words of a list, which goes on to the next option: what is none of them may be meant for something
// else.
CLI::Validator listed(bool (*is_known)(const std::string&), const std::string& known) {
  const auto check = [=](std::string& text) -> std::string {
    if (is_known(text)) return {};
    return "'" + text + "' is not known; there are: " + known +
           ". All words up to the next option belong to the list, so give FILES before it";
  };
  return {check, "", "list"};
}

bool isShowable(const std::string& word) {
  return std::find(std::begin(kShowable), std::end(kShowable), word) != std::end(kShowable);
}

// A name that ends in one of some extensions, which `wanted` names.
CLI::Validator nameOf(const std::string& what, const std::vector<std::string>& extensions,
                      const std::string& wanted) {
  const auto check = [=](std::string& text) -> std::string {
    for (const std::string& extension : extensions)
      if (text.size() > extension.size() && text[0] != '-' && text.ends_with(extension)) return {};
    return "'" + text + "' can't be the name of " + what + "; give one that ends in " + wanted;
  };
  return {check, "", what};
}

CLI::Validator videoName() {
  return nameOf("a video", {".mp4", ".mkv", ".mov", ".webm"}, ".mp4, .mkv, .mov or .webm");
}
CLI::Validator pictureName() {
  return nameOf("a picture", {".png", ".PNG"}, ".png");
}
CLI::Validator recordingName() {
  return nameOf("a recording", {".glb"}, ".glb");
}

std::string showHelp() {
  std::string out;
  for (const char* each : kShowable) out += (out.empty() ? "" : ", ") + std::string(each);
  return out;
}

// Accepts "640x360" and stores it.
CLI::Validator pictureSize(PictureSize& out) {
  const auto check = [&out](const std::string& text) -> std::string {
    char rest = 0;
    const bool is_size = std::sscanf(text.c_str(), "%5dx%5d%c", &out.width, &out.height, &rest) == 2;
    const auto fits = [](int side) { return side >= 64 && side <= 4096; };
    if (is_size && fits(out.width) && fits(out.height)) return {};
    return "'" + text + "' is not a size; give WIDTHxHEIGHT in pixels, each from 64 to 4096";
  };
  return {check, "", "picture size"};
}

sim::UpAxis upAxis(const std::string& name) {
  if (name == "x") return sim::UpAxis::kX;
  if (name == "y") return sim::UpAxis::kY;
  return name == "z" ? sim::UpAxis::kZ : sim::UpAxis::kFromFile;
}

void addSceneOptions(CLI::App& app, Options& o) {
  const std::string group = "Scene";
  app.add_option("FILES", o.files,
                 "Mesh files (STL, OBJ, PLY, glTF, DAE, OFF) or shapes (below), or one "
                 "world (SDF, URDF), which brings its own settings")
      ->check(anyFileName());
  app.add_option("--count", o.count, "Bodies in all; the files are taken in turn. Default: one of each")
      ->transform(whole(1, kMostBodies))
      ->type_name("N")
      ->group(group);
  app.add_option("--drop", o.drop, "Height of the lowest body above the ground. Default: its radius")
      ->transform(real(0, 1e5))
      ->type_name("METRES")
      ->group(group);
  app.add_option("--ground", o.ground, "plane, box (a mesh), bowl (a mesh) or a mesh file")
      ->check(fileName())
      ->capture_default_str()
      ->type_name("GROUND")
      ->group(group);
  app.add_option("--seed", o.seed, "Of the arrangement and the orientations")
      ->capture_default_str()
      ->transform(whole(0, 1e15))
      ->type_name("S")
      ->group(group);
  app.add_option("--spacing", o.spacing, "Distance of the bodies at the start over their largest diameter")
      ->capture_default_str()
      ->transform(real(1, 100))
      ->type_name("X")
      ->group(group);
  app.add_option("--scale", o.load.scale, "Metres in a unit of the files")
      ->capture_default_str()
      ->transform(real(1e-6, 1e6))
      ->type_name("X")
      ->group(group);
  app.add_option("--up", o.up, "Axis of the files that points up: x, y, z or file (what the file says)")
      ->capture_default_str()
      ->check(CLI::IsMember({"file", "x", "y", "z"}).description(""))
      ->type_name("AXIS")
      ->group(group);
  app.add_option("--density", o.density, "kg/m3")
      ->capture_default_str()
      ->transform(real(1e-6, 1e9))
      ->type_name("D")
      ->group(group);
  app.add_option("--mass", o.mass, "kg of each body, instead of what follows from --density")
      ->transform(real(1e-12, 1e15))
      ->type_name("M")
      ->group(group);
}

void addPhysicsOptions(CLI::App& app, Options& o) {
  const std::string group = "Physics";
  CLI::Option* collider =
      app.add_option("--collider", o.collider, "odemesh, or ode for ODE's own, to compare")
          ->capture_default_str()
          ->check(CLI::IsMember({"odemesh", "ode"}).description(""))
          ->type_name("NAME")
          ->group(group);
  app.add_flag("--side-by-side", o.side_by_side, "The same with both colliders, odemesh on the left")
      ->group(group)
      ->excludes(collider);
  app.add_option("--dt", o.world.dt, "Length of a step, s; fractions such as 1/240 (default) are understood")
      ->transform(real(1e-6, 0.1))
      ->type_name("H")
      ->group(group);
  app.add_option("--gravity", o.gravity, "m/s2 along z, negative is down")
      ->capture_default_str()
      ->transform(real(-1e6, 1e6))
      ->type_name("G")
      ->group(group);
  app.add_option("--mu", o.world.surface.mu, "Friction; inf: no sliding")
      ->capture_default_str()
      ->transform(real(0, kInfinity))
      ->type_name("MU")
      ->group(group);
  app.add_option("--restitution", o.world.surface.restitution, "Share of the speed kept in a bounce")
      ->capture_default_str()
      ->transform(real(0, 1))
      ->type_name("E")
      ->group(group);
  app.add_option("--bounce-threshold", o.world.surface.bounce_threshold, "m/s; slower impacts do not bounce")
      ->capture_default_str()
      ->transform(real(0, 1e6))
      ->type_name("V")
      ->group(group);
  app.add_option("--max-contacts", o.world.max_contacts, "Of one pair of bodies")
      ->capture_default_str()
      ->transform(whole(1, 0xffff))
      ->type_name("N")
      ->group(group);
  app.add_option("--solver", o.solver,
                 "ODE's quick one (QuickStep), or the exact one: for long chains of contacts, and slow")
      ->capture_default_str()
      ->check(CLI::IsMember({"quick", "exact"}).description(""))
      ->type_name("NAME")
      ->group(group);
  app.add_option("--iterations", o.world.iterations, "Of the quick solver")
      ->capture_default_str()
      ->transform(whole(1, 10000))
      ->type_name("N")
      ->group(group);
  app.add_option("--erp", o.world.erp, "Share of a depth that is corrected in one step")
      ->capture_default_str()
      ->transform(real(0, 1))
      ->type_name("X")
      ->group(group);
  app.add_option(
         "--cfm", o.cfm,
         "Softness of constraints. Default: 1e-10, and less in proportion for bodies of more than a tonne")
      ->transform(real(0, 1e6))
      ->type_name("X")
      ->group(group);
  app.add_option("--max-correcting-speed", o.world.max_correcting_speed,
                 "m/s; the fastest that bodies are pushed apart")
      ->capture_default_str()
      ->transform(real(0, kInfinity))
      ->type_name("V")
      ->group(group);
}

void addRunOptions(CLI::App& app, Options& o, std::string& size) {
  const std::string group = "Run and results";
  CLI::Option* steps = app.add_option("--steps", o.steps, "Steps to run")
                           ->transform(whole(1, kMostSteps))
                           ->type_name("N")
                           ->group(group);
  app.add_option("--seconds", o.seconds, "Simulated time to run. Default: 10, or the scene's own")
      ->transform(real(1e-6, 1e6))
      ->type_name("T")
      ->excludes(steps)
      ->group(group);
  app.add_option("--threads", o.world.threads, "That collide meshes; the result does not depend on it")
      ->capture_default_str()
      ->transform(whole(1, sim::CollisionPass::kMostThreads))
      ->type_name("N")
      ->group(group);
  app.add_flag("--stop-at-rest", o.stop_at_rest, "Stop as soon as everything has come to rest")->group(group);
  app.add_option("--rest-speed", o.rest_speed,
                 "RMS speed that counts as rest. Default: 1% of sqrt(g * radius)")
      ->transform(real(0, 1e6))
      ->type_name("V")
      ->group(group);
  CLI::Option* headless =
      app.add_flag("--headless", o.headless, "No window; it also stays closed where --json asks for results")
          ->group(group);
  app.add_option("--size", size, "Of the window and of pictures, in pixels")
      ->default_str("1280x720")
      ->check(pictureSize(o.size))
      ->type_name("WxH")
      ->group(group);
  CLI::Option* script =
      app.add_option("--script", o.script, "Play events from a file in the window, then close it (below)")
          ->check(fileName())
          ->type_name("FILE")
          ->group(group)
          ->excludes(headless);
  app.add_option("--quality", o.quality,
                 "Of the picture: high, low, or auto: low in a window that the processor draws")
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "high", "low"}).description(""))
      ->type_name("NAME")
      ->group(group);
  app.add_option("--frames", o.frames,
                 "Show N frames in the window as fast as they come, close it, and tell what a frame took")
      ->transform(whole(1, 1e6))
      ->type_name("N")
      ->group(group)
      ->excludes(headless, script);
  app.add_option("--json", o.json, "Write a line of JSON for each step and one with the summary")
      ->check(fileName())
      ->type_name("FILE")
      ->group(group);
  app.add_option("--screenshot", o.screenshot, "Draw the final frame into a PNG file")
      ->check(pictureName())
      ->type_name("FILE")
      ->group(group);
  app.add_option("--video", o.video,
                 "Film the run, headless, into an MP4 file (.mp4; also .mkv, .mov, .webm); needs ffmpeg")
      ->check(videoName())
      ->type_name("FILE")
      ->group(group);
  app.add_option("--fps", o.fps, "Frames a second, of --video and --record")
      ->capture_default_str()
      ->transform(whole(1, 240))
      ->type_name("N")
      ->group(group);
  app.add_option("--show", o.show, "What pictures and the window show at the start: " + showHelp())
      ->check(listed(&isShowable, showHelp()))
      ->type_name("WHAT...")
      ->group(group);
  app.add_option("--json-every", o.json_every, "Write every k-th step only")
      ->capture_default_str()
      ->transform(whole(1, kMostSteps))
      ->type_name("K")
      ->group(group);
  app.add_flag("--quiet", o.quiet, "No progress and no summary; errors only")->group(group);
}

void addWorldOptions(CLI::App& app, Options& o) {
  const std::string group = "Worlds, checks and recordings";
  app.add_option("--model-path", o.model_path,
                 "A folder with models, for model:// names in worlds; can be repeated")
      ->check(folderName())
      ->allow_extra_args(false)
      ->type_name("FOLDER")
      ->group(group);
  app.add_option("--check", o.files, "The same as FILES with --headless, for use with --expect")
      ->check(fileName())
      ->type_name("FILE")
      ->group(group);
  CLI::Option* expect =
      app.add_option("--expect", o.expect, "Exit code 1 unless it comes true: " + expectHelp())
          ->check(listed(&isExpectation, expectHelp()))
          ->type_name("WHAT...")
          ->group(group);
  app.add_option("--settle", o.settle, "s before --expect begins to look, and from where stands= counts")
      ->capture_default_str()
      ->transform(real(0, 1e6))
      ->type_name("T")
      ->group(group);
  app.add_option("--junit", o.junit, "Write the outcome of each --expect into a JUnit XML file")
      ->check(fileName())
      ->needs(expect)
      ->type_name("FILE")
      ->group(group);
  app.add_option("--record", o.record, "Write the motion into a glTF animation (.glb)")
      ->check(recordingName())
      ->excludes("--side-by-side")
      ->type_name("FILE")
      ->group(group);
  app.add_option(
         "--play", o.play,
         "Show a --record file in the window: to pause, to go back and forth in it; or, headless, draw its "
         "--screenshot and --video, up to --seconds")
      ->check(fileName())
      ->type_name("FILE")
      ->group(group);
  app.add_option("--replay", o.replay, "Repeat the run of a --record file, and compare its hash")
      ->check(fileName())
      ->type_name("FILE")
      ->group(group);
}

// A scene of the library brings its own bodies and settings, so that what would change them is refused.
void addLibraryOption(CLI::App& app, Options& o) {
  CLI::Option* scene =
      app.add_option(
             "--scene", o.scene,
             "A scene of the library in place of FILES, with its own bodies and settings; 'list' names them")
          ->check(sceneName())
          ->type_name("NAME");
  for (CLI::Option* other : app.get_options()) {
    const std::string group = other->get_group();
    const bool is_free = other->check_name("--collider") || other->check_name("--side-by-side");
    if (other->get_positional() || other->check_name("--check") ||
        ((group == "Scene" || group == "Physics") && !is_free))
      scene->excludes(other);
  }
  scene->group("Scene");
}

// What describes a run is in the recording.
void excludeFromRecordings(CLI::App& app) {
  const auto isFor = [](const CLI::Option* option, std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(),
                       [&](const char* name) { return option->check_name(name); });
  };
  CLI::Option* play = app.get_option("--play");
  CLI::Option* replay = app.get_option("--replay");
  for (CLI::Option* other : app.get_options()) {
    if (other == play || other == replay || isFor(other, {"--help", "--version", "--quiet", "--headless"}))
      continue;
    replay->excludes(other);
    if (!isFor(other, {"--screenshot", "--video", "--fps", "--size", "--show", "--seconds", "--quality",
                       "--frames", "--script"}))
      play->excludes(other);
  }
  play->excludes(replay);
}

std::string footer() {
  return "Units are metres, kilograms and seconds; z is up; " + std::string(sim::shapeHelp()) +
         ".\n\nExit codes: 0; 1 for a failed run (a state that is not finite, a body that escaped or ended "
         "below the ground, an expectation that was not met); 2 for bad input.\n\nKeys of the window:\n" +
         controlsHelp() +
         "\n\nEvents of --script, a line each; # begins a comment, positions are pixels from the upper "
         "left:\n"
         "key K (or: key space), press BUTTON X Y, move X Y, release BUTTON (left, right, middle), scroll "
         "STEPS,\n"
         "drop FILE, frames N (shows N of 1/60 s), picture FILE (saves the next one)"
         "\n\nExamples:\n"
         "  odemesh-sandbox spot.obj --count 20 --headless\n"
         "  odemesh-sandbox shape:box --count 5 --ground plane --collider ode --json run.jsonl --headless\n"
         "  odemesh-sandbox --scene stacks/5 --side-by-side\n"
         "  odemesh-sandbox --check world.sdf --seconds 3 --settle 1 --expect at-rest stands=0.01 --junit "
         "result.xml\n"
         "  odemesh-sandbox --scene stacks/5 --side-by-side --seconds 3 --video stack.mp4 --show contacts\n"
         "  odemesh-sandbox spot.obj --record run.glb\n"
         "  odemesh-sandbox --play run.glb\n"
         "  odemesh-sandbox --play run.glb --video run.mp4\n"
         "  odemesh-sandbox --replay run.glb";
}

// CLI11 names at each option which others it excludes: most exclude --scene, which says so itself.
class Formatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string out;
    if (!option->get_type_name().empty()) out += " " + option->get_type_name();
    if (!option->get_default_str().empty()) out += "=" + option->get_default_str();
    return out;
  }
};

int refused(int argc, const char* const* argv, const std::string& problem) {
  std::fprintf(stderr, "%s\nRun with --help for more information.\n", problem.c_str());
  replaceJunit(junitFileIn(argc, argv), problem);
  return kBadInput;
}

}  // namespace

std::string junitFileIn(int argc, const char* const* argv) {
  constexpr std::string_view kOption = "--junit";
  std::string file;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == kOption && i + 1 < argc) file = argv[i + 1];
    if (word.starts_with(kOption) && word.substr(kOption.size()).starts_with('='))
      file = word.substr(kOption.size() + 1);
  }
  return file;
}

std::variant<Options, int> parseOptions(int argc, const char* const* argv) {
  Options options;
  CLI::App app("Drops triangle meshes on a ground, with the Open Dynamics Engine and the odemesh collider.",
               "odemesh-sandbox");
  app.set_version_flag("--version", std::string("odemesh-sandbox " ODEMESH_VERSION));
  app.formatter(std::make_shared<Formatter>());
  app.get_formatter()->column_width(34);
  app.footer(footer());
  addSceneOptions(app, options);
  addPhysicsOptions(app, options);
  std::string size;
  addRunOptions(app, options, size);
  addWorldOptions(app, options);
  addLibraryOption(app, options);
  excludeFromRecordings(app);
  bool wants_manual = false;
  bool wants_completion = false;
  app.add_flag("--print-manual", wants_manual)->group("");
  app.add_flag("--print-bash-completion", wants_completion)->group("");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    replaceJunit(junitFileIn(argc, argv), error.what());
    return exitCodeFor(app, error);
  }
  if (wants_manual || wants_completion) {
    std::fputs((wants_manual ? manualPage(app, footer()) : bashCompletion(app)).c_str(), stdout);
    return 0;
  }
  options.arguments.assign(argv + 1, argv + argc);
  const bool has_results =
      !options.expect.empty() || !options.junit.empty() || !options.record.empty() || !options.video.empty();
  options.headless = options.headless || has_results || app.count("--check") > 0;
  if (const std::string useless = uselessOption(app, options); !useless.empty())
    return refused(argc, argv, useless);
  if (!options.replay.empty() || !options.play.empty()) return options;
  if (options.files.empty() && options.scene.empty())
    return refused(argc, argv, "FILES or --scene is needed");
  options.world.gravity = {0, 0, options.gravity};
  options.world.collider = options.collider == "ode" ? sim::Collider::kOde : sim::Collider::kOdemesh;
  options.world.solver = options.solver == "exact" ? sim::Solver::kExact : sim::Solver::kQuick;
  options.load.up = upAxis(options.up);
  return options;
}

}  // namespace odemesh::sandbox
