// Many bodies at once: in bowls and bins.
#include <array>
#include <odemesh/sim/random.hpp>
#include <odemesh/sim/shapes.hpp>

#include "scenes/families.hpp"
#include "scenes/judge.hpp"
#include "scenes/meshes.hpp"

namespace odemesh::sim {
namespace {

SceneRun ballInBowl(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("bowl", builder.mesh(makeBowl(1, 0.15, 48, 12)));
  // Nothing slows a rolling ball down, so its speed at the end is not that of rest.
  builder.moving("ball", builder.mesh(makeIcosphere(0.3, 3)), {0.35, 0.1, 0.7});
  return judgedHolding(builder, options.quick ? 6 : 20, {.radius = 0.3, .speed = 2, .floor = -0.01});
}

SceneRun jacksInBowl(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.bowlWith("jack", builder.mesh(jack(0.4, 0.08)),
                   {.count = 12, .spread = 0.3, .lowest = 0.6, .step = 0.35, .seed = 3});
  return judgedHolding(builder, options.quick ? 5 : 15, {.radius = 0.2, .floor = 0});
}

SceneRun pile(const SceneOptions& options, int count, const TriangleMesh& shape, double radius) {
  SceneBuilder builder(options);
  builder.fixed("bin", builder.mesh(bin({1.6, 1.6, 2.5}, 0.3)));
  const Geometry geometry = builder.mesh(shape);
  Random random(11);
  for (int i = 0; i < count; ++i) {
    const int column = i % 16, row = column / 4, layer = i / 16;
    builder.moving("body " + std::to_string(i), geometry,
                   {0.4 * (column % 4 - 1.5) + random.uniform(-0.01, 0.01),
                    0.4 * (row - 1.5) + random.uniform(-0.01, 0.01), 0.3 + 0.4 * layer},
                   random.rotation());
  }
  // The last ones come to rest in the fourth second.
  return judgedHolding(builder, options.quick ? 4 : 8, {.radius = radius, .floor = 0});
}

/// Cubes of 0.5 m, a layer of them and others above it at random, which touch at edges and corners, within a
/// wall.
TriangleMesh voxels() {
  constexpr std::size_t kAcross = 14, kLayer = kAcross * kAcross;
  constexpr std::array kShare{1.0, 0.4, 0.25, 0.12, 0.12};  // by layer
  std::vector<double> across(kAcross + 1), up(kShare.size() + 1);
  for (std::size_t i = 0; i < across.size(); ++i) across[i] = 0.5 * double(i) - 0.25 * double(kAcross);
  for (std::size_t i = 0; i < up.size(); ++i) up[i] = 0.5 * double(i) - 0.5;
  Random random(4);
  std::vector<bool> is_filled(kLayer * kShare.size());
  for (std::size_t i = 0; i < is_filled.size(); ++i) is_filled[i] = random.uniform() < kShare[i / kLayer];
  return cellSolid(across, across, up, [&](int x, int y, int z) {
    const auto isOuter = [](int i) { return i == 0 || i + 1 == int(kAcross); };
    return isOuter(x) || isOuter(y) ||
           is_filled[std::size_t(z) * kLayer + std::size_t(y) * kAcross + std::size_t(x)];
  });
}

SceneRun dropOnVoxels(const SceneOptions& options) {
  SceneBuilder builder(options);
  builder.fixed("voxels", builder.mesh(voxels()));
  const Geometry shapes[] = {builder.mesh(makeBox({0.4, 0.3, 0.2}, 2)), builder.mesh(makeCylinder(0.15, 0.4)),
                             builder.mesh(jack(0.5, 0.12)), builder.mesh(star5(0.3, 0.12, 0.15)),
                             builder.mesh(makeIcosphere(0.2, 2))};
  Random random(8);
  for (int x = -2; x <= 2; ++x)
    for (int y = -2; y <= 2; ++y) {
      const Vec3 at{1.1 * x, 1.1 * y, random.uniform(2.4, 2.8)};
      builder.moving("body", shapes[y + 2], at, random.rotation());
    }
  // Balls and cylinders roll on.
  return judgedHolding(builder, options.quick ? 4 : 10, {.radius = 0.2, .speed = 2, .floor = 0});
}

}  // namespace

std::vector<Scene> pileScenes() {
  std::vector<Scene> out;
  out.push_back({"piles/bowl", "a ball of 1,280 triangles let go in a bowl", {}, false, &ballInBowl});
  out.push_back({"piles/jacks", "12 jacks dropped into a bowl", {}, false, &jacksInBowl});
  out.push_back({"piles/boxes", "30 cut cubes dropped into a bin", {}, false, [](const SceneOptions& o) {
                   return pile(o, 30, makeBox({0.2, 0.2, 0.2}, 3), 0.1);
                 }});
  out.push_back({"piles/balls",
                 "100 balls of 1,280 triangles dropped into a bin",
                 {},
                 false,
                 [](const SceneOptions& o) { return pile(o, 100, makeIcosphere(0.18, 3), 0.18); }});
  out.push_back(
      {"piles/tori", "100 rings of 1,024 triangles dropped into a bin", {}, false, [](const SceneOptions& o) {
         return pile(o, 100, makeTorus(0.14, 0.06, 32, 16), 0.2);
       }});
  out.push_back(
      {"piles/voxels", "25 bodies of five shapes dropped on a solid of cubes", {}, false, &dropOnVoxels});
  return out;
}

}  // namespace odemesh::sim
