// The scene that the options describe: meshes loaded, bodies placed, ground made, bounds set.
#pragma once

#include <cstdint>
#include <odemesh/sim/scenes/scene.hpp>
#include <optional>
#include <string>
#include <vector>

#include "options.hpp"

namespace odemesh::sandbox {

struct Plan {
  sim::WorldSettings settings;
  std::vector<sim::BodySpec> bodies;  ///< the ground first
  std::vector<sim::JointSpec> joints;
  const sim::Scene* scene = nullptr;   ///< of the library, in place of bodies
  std::optional<double> ground_level;  ///< z that no body may end below
  double rest_threshold = 0;           ///< m/s
  std::uint64_t steps = 0;
  std::vector<std::string> warnings;  ///< about the meshes, for the user
};

/// Throws InputError that names the file or the option. The same options give the same plan.
[[nodiscard]] Plan makePlan(const Options& options);

/// What the plan describes, at its beginning, under one of the colliders.
[[nodiscard]] sim::SceneRun makeRun(const Plan& plan, sim::Collider collider);

/// The names and descriptions of the library's scenes, a line each.
[[nodiscard]] std::string listOfScenes();

}  // namespace odemesh::sandbox
