// The same scene with other options, as scenes of their own.
#pragma once

#include <odemesh/sim/scenes/scene.hpp>
#include <vector>

namespace odemesh::sim {

/// Faces cut 1, 4 and 16 times along an edge, and 4 times irregularly: "name", "name-4", "name-16",
/// "name-unaligned".
void appendCuts(std::vector<Scene>& out, const Scene& scene);

/// At most 4 and 8 contacts for a pair, with faces cut 16 times: "name-max4", "name-max8".
void appendContactLimits(std::vector<Scene>& out, const Scene& scene);

/// At most 4 contacts for a pair: "name-max4".
void appendFewContacts(std::vector<Scene>& out, const Scene& scene);

/// 1 mm, 100 m and 10 km from the origin: "name-1mm", "name-100m", "name-10km".
void appendScales(std::vector<Scene>& out, const Scene& scene);

/// Meshes that lie askew in their own frames: "name-askew".
void appendAskew(std::vector<Scene>& out, const Scene& scene);

/// At 60 steps a second: "name-60hz".
void appendCoarseStep(std::vector<Scene>& out, const Scene& scene);

/// At 1,000 steps a second, as Gazebo does: "name-1khz".
void appendFineStep(std::vector<Scene>& out, const Scene& scene);

/// With ODE's exact solver: "name-exact".
void appendExactSolver(std::vector<Scene>& out, const Scene& scene);

}  // namespace odemesh::sim
