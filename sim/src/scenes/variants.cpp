#include "scenes/variants.hpp"

namespace odemesh::sim {
namespace {

template <class Change>
void append(std::vector<Scene>& out, const Scene& scene, const std::string& suffix, const std::string& what,
            const Change& change) {
  Scene& added = out.emplace_back(scene);
  added.name += suffix;
  added.description += ", " + what;
  change(added.options);
}

}  // namespace

void appendCuts(std::vector<Scene>& out, const Scene& scene) {
  out.push_back(scene);
  append(out, scene, "-4", "faces cut 4 x 4", [](SceneOptions& o) { o.cells = 4; });
  append(out, scene, "-16", "faces cut 16 x 16", [](SceneOptions& o) { o.cells = 16; });
  append(out, scene, "-unaligned", "faces cut irregularly", [](SceneOptions& o) {
    o.cells = 4;
    o.unaligned = true;
  });
}

void appendContactLimits(std::vector<Scene>& out, const Scene& scene) {
  for (const int limit : {4, 8}) {
    const std::string number = std::to_string(limit);
    append(out, scene, "-max" + number, "faces cut 16 x 16, at most " + number + " contacts a pair",
           [limit](SceneOptions& o) {
             o.cells = 16;
             o.max_contacts = limit;
           });
  }
}

void appendFewContacts(std::vector<Scene>& out, const Scene& scene) {
  append(out, scene, "-max4", "at most 4 contacts a pair", [](SceneOptions& o) { o.max_contacts = 4; });
}

void appendScales(std::vector<Scene>& out, const Scene& scene) {
  append(out, scene, "-1mm", "a thousandth of the size", [](SceneOptions& o) { o.scale = 1e-3; });
  append(out, scene, "-100m", "a hundred times the size", [](SceneOptions& o) { o.scale = 100; });
  append(out, scene, "-10km", "10 km from the origin", [](SceneOptions& o) {
    o.offset = {6000, -8000, 500};
  });
}

void appendAskew(std::vector<Scene>& out, const Scene& scene) {
  append(out, scene, "-askew", "meshes askew in their own frames", [](SceneOptions& o) { o.askew = 1; });
}

void appendCoarseStep(std::vector<Scene>& out, const Scene& scene) {
  append(out, scene, "-60hz", "60 steps a second", [](SceneOptions& o) { o.dt = 1.0 / 60; });
}

void appendFineStep(std::vector<Scene>& out, const Scene& scene) {
  append(out, scene, "-1khz", "1,000 steps a second", [](SceneOptions& o) { o.dt = 1.0 / 1000; });
}

void appendExactSolver(std::vector<Scene>& out, const Scene& scene) {
  append(out, scene, "-exact", "ODE's exact solver", [](SceneOptions& o) { o.solver = Solver::kExact; });
}

}  // namespace odemesh::sim
