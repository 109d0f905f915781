// The families of scenes, one file each.
#pragma once

#include <odemesh/sim/scenes/scene.hpp>
#include <vector>

namespace odemesh::sim {

[[nodiscard]] std::vector<Scene> restScenes();
[[nodiscard]] std::vector<Scene> stackScenes();

inline constexpr std::vector<Scene> (*kSceneFamilies[])() = {&restScenes, &stackScenes};

}  // namespace odemesh::sim
