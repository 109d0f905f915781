// The scene that the options describe: meshes loaded, bodies placed, ground made, bounds set.
#pragma once

#include <cstdint>
#include <memory>
#include <odemesh/sim/world.hpp>
#include <string>
#include <vector>

#include "options.hpp"

namespace odemesh::sandbox {

struct Plan {
  sim::WorldSettings settings;
  std::vector<sim::BodySpec> bodies;  ///< the ground first
  double ground_level = 0;            ///< z that no body may end below
  double rest_threshold = 0;          ///< m/s
  std::uint64_t steps = 0;
  std::vector<std::string> warnings;  ///< about the meshes, for the user
};

/// Throws InputError that names the file or the option. The same options give the same plan.
[[nodiscard]] Plan makePlan(const Options& options);

/// The world that the plan describes.
[[nodiscard]] std::unique_ptr<sim::World> makeWorld(const Plan& plan);

}  // namespace odemesh::sandbox
