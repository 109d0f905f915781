// Bodies of all kinds that fly at each other, or at a plate, in free space and with e = 1: nothing may gain
// energy.
#include <algorithm>
#include <functional>
#include <memory>
#include <odemesh/sim/random.hpp>
#include <odemesh/sim/shapes.hpp>
#include <vector>

#include "scenes/builder.hpp"
#include "scenes/families.hpp"
#include "scenes/meshes.hpp"

namespace odemesh::sim {
namespace {

constexpr int kPairs = 100;
constexpr double kApart = 4;  // so far are pairs from each other: they do not meet

using MakeBody = std::function<Geometry(const SceneBuilder&)>;

[[nodiscard]] WorldSettings elastic() {
  WorldSettings settings;
  settings.gravity = {};
  settings.surface.mu = 0;
  settings.surface.restitution = 1;
  settings.surface.bounce_threshold = 0;
  return settings;
}

/// The most that the energy of so many bodies, one group after the other, exceeds what it was at first, as a
/// share. What is fixed has none.
class EnergyGain {
 public:
  EnergyGain(const World& world, std::size_t first, std::size_t group) : first_(first), group_(group) {
    for (std::size_t i = first; i < world.bodyCount(); i += group) start_.push_back(of(world, i));
  }

  void observe(const World& world) {
    for (std::size_t g = 0; g < start_.size(); ++g)
      most_ = std::max(most_, of(world, first_ + g * group_) / start_[g] - 1);
  }
  [[nodiscard]] double most() const { return most_; }

 private:
  [[nodiscard]] double of(const World& world, std::size_t begin) const {
    double sum = 0;
    for (std::size_t i = 0; i < group_; ++i) sum += world.body(begin + i).kineticEnergy();
    return sum;
  }

  std::size_t first_, group_;
  std::vector<double> start_;
  double most_ = 0;
};

SceneRun judgedByEnergy(SceneBuilder& builder, std::size_t first, std::size_t group, double limit) {
  SceneRun run = builder.finish(0.5);
  const auto gain = std::make_shared<EnergyGain>(*run.world, first, group);
  run.observe = [gain](const World& world) { gain->observe(world); };
  run.judge = [gain, group, limit](World&) {
    return std::vector<Figure>{{.name = group == 2 ? "energy gain of a pair" : "energy gain of a body",
                                .value = gain->most() * 100,
                                .limit = limit,
                                .unit = "%"}};
  };
  return run;
}

// So that all their sides meet. What ODE's gyroscopic torque adds is below half a percent at 240, 960 and
// 3,840 steps a second; a contact in a wrong direction gives many times that.
SceneRun thrownPairs(const SceneOptions& options, const MakeBody& make, double limit) {
  SceneBuilder builder(options, elastic());
  const Geometry body = make(builder);
  Random random(5);
  for (int i = 0; i < kPairs; ++i)
    for (const double side : {-1.0, 1.0}) {
      const Vec3 place{0.58 * side, random.uniform(-0.25, 0.25), i * kApart + random.uniform(-0.25, 0.25)};
      builder.moving("body", body, place, random.rotation(), {-side, 0, 0});
    }
  return judgedByEnergy(builder, 0, 2, limit);
}

SceneRun thrownAtGround(const SceneOptions& options, const MakeBody& make, bool at_plane, double limit) {
  SceneBuilder builder(options, elastic());
  if (at_plane)
    builder.fixed("ground", SceneBuilder::plane());
  else
    builder.fixed("ground", builder.mesh(makeBox({kPairs * kApart + 10, 10, 1}, 2)), {0, 0, -0.5});
  const Geometry body = make(builder);
  Random random(5);
  for (int i = 0; i < kPairs; ++i) {
    const Vec3 place{(i - 0.5 * kPairs) * kApart, 0, random.uniform(0.9, 1.1)};
    const Vec3 spin{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)};
    builder.moving("body", body, place, random.rotation(), {0, 0, -2}, spin);
  }
  return judgedByEnergy(builder, 1, 1, limit);
}

Scene pairScene(const std::string& name, const std::string& what, const MakeBody& make, double limit) {
  return {name,
          "100 pairs of " + what + " that fly at each other, e = 1",
          {},
          false,
          [make, limit](const SceneOptions& o) { return thrownPairs(o, make, limit); }};
}

Geometry star(const SceneBuilder& b) {
  return b.mesh(star5(0.55, 0.22, 0.2));
}
Geometry knot(const SceneBuilder& b) {
  return b.mesh(trefoil({0.3, 0.15, 0.06}, 30, 6));
}
Geometry crossedBars(const SceneBuilder& b) {
  return b.mesh(jack(1, 0.25));
}
Geometry ring(const SceneBuilder& b) {
  return b.mesh(makeTorus(0.4, 0.12, 12, 6));
}
Geometry ball(const SceneBuilder& b) {
  return b.mesh(makeIcosphere(0.4, 3));
}

}  // namespace

std::vector<Scene> thrownPairScenes() {
  // Bars that slide along each other get deep, and ODE's error correction parts them faster than they met.
  constexpr double kLimit = 0.5, kLimitDeep = 2;
  std::vector<Scene> out = {pairScene("sharp/stars", "stars", &star, 1),
                            pairScene("impact/knots", "knots", &knot, kLimit),
                            pairScene("impact/jacks", "jacks", &crossedBars, kLimitDeep),
                            pairScene("impact/tori", "rings", &ring, kLimit)};
  for (const bool at_plane : {false, true})
    out.push_back({at_plane ? "impact/on-plane" : "impact/on-slab",
                   at_plane ? "100 balls of facets that fly at ODE's plane, e = 1"
                            : "100 balls of facets that fly at a slab, e = 1",
                   {},
                   false,
                   [at_plane](const SceneOptions& o) { return thrownAtGround(o, &ball, at_plane, 0.1); }});
  return out;
}

}  // namespace odemesh::sim
