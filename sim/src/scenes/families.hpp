// The families of scenes, one file each.
#pragma once

#include <odemesh/sim/scenes/scene.hpp>
#include <vector>

namespace odemesh::sim {

[[nodiscard]] std::vector<Scene> poseScenes();
[[nodiscard]] std::vector<Scene> restScenes();
[[nodiscard]] std::vector<Scene> stackScenes();
[[nodiscard]] std::vector<Scene> slideScenes();
[[nodiscard]] std::vector<Scene> bounceScenes();
[[nodiscard]] std::vector<Scene> impactScenes();
[[nodiscard]] std::vector<Scene> thrownPairScenes();
[[nodiscard]] std::vector<Scene> deepScenes();
[[nodiscard]] std::vector<Scene> pileScenes();
[[nodiscard]] std::vector<Scene> terrainScenes();
[[nodiscard]] std::vector<Scene> badMeshScenes();
[[nodiscard]] std::vector<Scene> fastScenes();
[[nodiscard]] std::vector<Scene> flybyScenes();
[[nodiscard]] std::vector<Scene> struckScenes();
[[nodiscard]] std::vector<Scene> chainScenes();
[[nodiscard]] std::vector<Scene> knotScenes();
[[nodiscard]] std::vector<Scene> netScenes();
[[nodiscard]] std::vector<Scene> threadScenes();
[[nodiscard]] std::vector<Scene> masonryScenes();
[[nodiscard]] std::vector<Scene> mechanismScenes();
[[nodiscard]] std::vector<Scene> degenerateScenes();
[[nodiscard]] std::vector<Scene> openCupScenes();

inline constexpr std::vector<Scene> (*kSceneFamilies[])() = {
    &poseScenes,       &restScenes,      &stackScenes,      &slideScenes,   &bounceScenes,  &impactScenes,
    &thrownPairScenes, &deepScenes,      &pileScenes,       &terrainScenes, &badMeshScenes, &fastScenes,
    &flybyScenes,      &struckScenes,    &chainScenes,      &knotScenes,    &netScenes,     &threadScenes,
    &masonryScenes,    &mechanismScenes, &degenerateScenes, &openCupScenes};

}  // namespace odemesh::sim
