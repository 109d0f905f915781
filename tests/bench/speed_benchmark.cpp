// How fast is odemesh beside ODE's own collider, and beside FCL, Bullet and Embree where they are installed?
// `--help` tells the options.
//
// Every engine runs on the same meshes and poses in one process, in turn. The time of a pose is the best of
// the rounds; a cell is the median over the poses. Before a time counts, the number of intersecting pairs is
// compared with the exact reference on some of the poses, and distances with those of closest points. Meshes
// are scaled to radius 1.
#include <ode/ode.h>

#include <CLI/CLI.hpp>
#include <cstdarg>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <odemesh/sim/mesh_file.hpp>
#include <odemesh/sim/ode_handles.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/speed/bin_scene.hpp"
#include "bench/speed/engines.hpp"
#include "bench/speed/growth.hpp"
#include "bench/speed/queries.hpp"
#include "bench/speed/scene.hpp"

namespace odemesh::bench {
namespace {

struct Arguments {
  int poses = 200, rounds = 3, bin_steps = 0, largest = 1000000;
  bool growth = false, slow = false;
  std::string only, svg;
  std::vector<std::string> files;
};

using ShapePair = std::pair<NamedShape, NamedShape>;

[[nodiscard]] NamedShape fromFile(const std::filesystem::path& path) {
  const sim::TriangleMesh mesh = sim::loadMesh(path).mesh;
  Shape shape{mesh.vertices, {}};
  for (const auto& t : mesh.triangles) shape.indices.insert(shape.indices.end(), t.begin(), t.end());
  return {path.stem().string(), shape};
}

/// A mesh that lies in the repository or, for those that may not be copied, beside it; empty if it does not.
[[nodiscard]] NamedShape example(const std::string& name, const std::string& file) {
  const std::filesystem::path root = ODEMESH_SOURCE_DIR;
  for (const auto& folder : {root / "examples/meshes", root / "../shared/meshes"})
    if (std::filesystem::exists(folder / file)) return {name, fromFile(folder / file).shape};
  return {name, {}};
}

[[nodiscard]] std::vector<ShapePair> standardPairs() {
  const NamedShape spot = example("spot", "spot.obj"), teapot = example("teapot", "teapot.obj");
  const NamedShape gear = example("gear", "gear.obj"), link = example("chain link", "chain-link.obj");
  const NamedShape bunny = example("bunny", "stanford-bunny.obj"), part = example("part", "gazebo-3335.stl");
  return {{{"icosphere 1k", icosphere(1000)}, {"torus 1k", torus(1000)}},
          {{"icosphere 10k", icosphere(10000)}, {"torus 10k", torus(10000)}},
          {{"icosphere 100k", icosphere(100000)}, {"torus 100k", torus(100000)}},
          {{"knot 20k", knot(2, 3, 20000)}, {"knot' 20k", knot(3, 5, 20000)}},
          {{"knot 5k", knot(2, 5, 5000)}, spot},
          {spot, teapot},
          {link, gear},
          {teapot, {"torus 4k", torus(4000)}},
          {part, spot},
          {bunny, {"knot 20k", knot(2, 3, 20000)}},
          {bunny, part}};
}

[[nodiscard]] std::vector<ShapePair> pairsOf(const std::vector<std::string>& files) {
  if (files.empty()) return standardPairs();
  if (files.size() % 2 != 0)
    throw std::runtime_error("'" + files.back() + "' has no partner; give mesh files in pairs");
  std::vector<ShapePair> out;
  for (std::size_t i = 0; i < files.size(); i += 2)
    out.emplace_back(fromFile(files[i]), fromFile(files[i + 1]));
  return out;
}

/// What the contacts of a body in slow motion cost, against the same poses as jumps.
void compareSlow(const Scene& scene, int rounds) {
  constexpr int kMotionSteps = 20;
  std::printf("\n%s, contacts, us: in the order of the motion / as jumps\n", scene.name().c_str());
  const std::vector<Engine> ours{contactEngines(scene).front()};
  for (const double length : {1e-5, 1e-4, 1e-3, 4e-3}) {
    std::printf("  steps of %g of the radius:", length);
    for (int r = 0; r < kRegimes; ++r) {
      const std::vector<Pose> motions = slowMotions(scene.poses[r], length, kMotionSteps);
      const double slow = compare(ours, motions, rounds).front();
      const double jump = compare(ours, inTurn(motions, kMotionSteps), rounds).front();
      std::printf("  %s %.1f / %.1f (%.2f)", kRegimeName[r], slow, jump, jump / slow);
    }
    std::printf("\n");
  }
}

[[nodiscard]] bool comparePairs(const Arguments& arguments) {
  SpeedTable table;
  bool is_sound = true, has_any = false;
  for (const auto& [a, b] : pairsOf(arguments.files)) {
    if ((a.name + " x " + b.name).find(arguments.only) == std::string::npos) continue;
    has_any = true;
    if (a.shape.indices.empty() || b.shape.indices.empty()) {
      std::printf("\n%s x %s: a mesh file is missing, left out\n", a.name.c_str(), b.name.c_str());
      continue;
    }
    const Scene scene(a, b, arguments.poses);
    if (arguments.slow)
      compareSlow(scene, arguments.rounds);
    else
      is_sound = table.add(scene, arguments.rounds) && is_sound;
  }
  if (!has_any)
    throw std::runtime_error("--only: no pair of meshes has '" + arguments.only + "' in its name");
  if (!arguments.slow) table.printRatios();
  return is_sound;
}

[[nodiscard]] bool run(const Arguments& a) {
  if (a.growth) return showGrowth(a.poses, a.rounds, a.largest, a.svg);
  if (a.bin_steps == 0) return comparePairs(a);
  compareInBin(a.bin_steps);
  return true;
}

void addOptions(CLI::App& app, Arguments& a) {
  app.add_option("files", a.files, "mesh files, in pairs; without any, a dozen pairs")
      ->check(CLI::ExistingFile);
  app.add_option("--poses", a.poses, "poses of each pair")->check(CLI::Range(1, 100000));
  app.add_option("--rounds", a.rounds, "rounds, the best of which counts")->check(CLI::Range(1, 1000));
  app.add_option("--only", a.only, "pairs whose name contains this");
  auto* slow = app.add_flag("--slow", a.slow, "in place of the table, slow motion against jumps");
  auto* growth = app.add_flag("--growth", a.growth, "in place of the table, meshes of growing size");
  app.add_option("--largest", a.largest, "--growth: the most triangles")->check(CLI::Range(1000, 1000000));
  app.add_option("--svg", a.svg, "--growth: draw a plot into this file");
  app.add_option("--bin", a.bin_steps, "in place of the table, so many whole steps of 100 meshes in a bin")
      ->check(CLI::Range(1, 1000000))
      ->excludes(slow)
      ->excludes(growth);
  slow->excludes(growth);
}

void ignoreMessage(int, const char*, va_list) {}

}  // namespace
}  // namespace odemesh::bench

int main(int argc, char** argv) {
  CLI::App app{"Compares the speed of odemesh with that of ODE's own collider and of other libraries"};
  odemesh::bench::Arguments arguments;
  odemesh::bench::addOptions(app, arguments);
  CLI11_PARSE(app, argc, argv);
  try {
    const odemesh::sim::OdeLibrary ode;
    dSetMessageHandler(odemesh::bench::ignoreMessage);
    return odemesh::bench::run(arguments) ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "speed_benchmark: " << error.what() << "\n";
    return 1;
  }
}
