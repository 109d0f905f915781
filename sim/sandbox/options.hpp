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

struct Options {
  std::vector<std::string> files;
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
  double seconds = 10;
  bool stop_at_rest = false;
  std::optional<double> rest_speed;

  std::string collider = "odemesh";
  sim::WorldSettings world;  ///< gravity and collider as above

  bool headless = false;
  bool quiet = false;
  std::string json;
  std::uint64_t json_every = 1;
  std::string screenshot;
};

/// The options, or the exit code where the program is done: 0 after --help and --version, 2 after a message
/// about arguments that can't be used.
[[nodiscard]] std::variant<Options, int> parseOptions(int argc, const char* const* argv);

}  // namespace odemesh::sandbox
