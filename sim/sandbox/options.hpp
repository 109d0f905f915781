// What the command line asks for.
#pragma once

#include <cstdint>
#include <odemesh/sim/mesh_file.hpp>
#include <odemesh/sim/world_settings.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace odemesh::sandbox {

/// Pixels, of the window and of pictures.
struct PictureSize {
  int width = 1280;
  int height = 720;
};

inline constexpr double kDefaultSeconds = 10;

/// What --show takes.
inline constexpr const char* kShowable[] = {"contacts", "intersections", "volumes", "wireframe",
                                            "flat",     "no-shadows",    "no-grid"};

struct Options {
  std::vector<std::string> files;
  std::string scene;                 ///< of the library, in place of files; "list" for their names
  std::optional<std::size_t> count;  ///< bodies in all; empty: one of each file
  std::optional<double> drop;        ///< m; empty: the radius of the largest body
  std::uint64_t seed = 1;
  double spacing = 1.1;
  sim::LoadOptions load;
  std::string up = "file";
  double density = 1000;
  std::optional<double> mass;
  std::string ground = "box";
  double gravity = -9.81;

  std::optional<std::uint64_t> steps;  ///< wins over `seconds`
  std::optional<double> seconds;       ///< empty: kDefaultSeconds, or what the scene says
  bool stop_at_rest = false;
  std::optional<double> rest_speed;

  std::string collider = "odemesh";
  bool side_by_side = false;  ///< both colliders
  std::string solver = "quick";
  sim::WorldSettings world;   ///< gravity, collider, solver and CFM as above and below
  std::optional<double> cfm;  ///< empty: see `cfmFor`

  bool headless = false;
  PictureSize size;
  std::string script;
  std::string quality = "auto";
  int frames = 0;  ///< of the window, to be timed; 0: as many as the user wants
  bool quiet = false;
  std::string json;
  std::uint64_t json_every = 1;
  std::string screenshot;
  std::string video;
  int fps = 30;                   ///< frames a second, of videos and recordings
  std::vector<std::string> show;  ///< what pictures show besides the bodies; see kShowable

  std::vector<std::string> model_path;  ///< folders, for worlds
  std::vector<std::string> expect;      ///< see check.hpp
  double settle = 0;                    ///< s before they begin to look
  std::string junit;
  std::string record;
  std::string replay;
  std::string play;
  std::vector<std::string> arguments;  ///< as they were given, to be kept with a recording
};

/// The file of --junit among arguments that may be refused otherwise; empty if there is none.
[[nodiscard]] std::string junitFileIn(int argc, const char* const* argv);

/// The options, or the exit code where the program is done: 0 after --help and --version, 2 after a message
/// about arguments that can't be used, which then is in a JUnit file of an earlier run too.
[[nodiscard]] std::variant<Options, int> parseOptions(int argc, const char* const* argv);

}  // namespace odemesh::sandbox
