// Scenes with figures: what tests, benchmarks and the viewer run to see whether contacts hold.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <odemesh/sim/ode_handles.hpp>
#include <odemesh/sim/world.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace odemesh::sim {

/// What can be varied about a scene. Scenes are described at unit scale; `scale` multiplies lengths, speeds
/// and gravity alike (Froude's similarity), so that at any scale the trajectories are the same figures at the
/// same times, and every figure is given back at unit scale.
struct SceneOptions {
  Collider collider = Collider::kOdemesh;
  bool primitives = false;  ///< ODE's primitives in place of the meshes, in scenes that have them
  int cells = 1;            ///< squares along each edge of a flat face, 1 to 1001
  bool unaligned = false;   ///< irregular squares and diagonals, so that no two faces are cut alike
  double scale = 1;         ///< 1e-3 to 1e3
  Vec3 offset{};            ///< m; where the scene's origin lies
  /// Other than 0: meshes lie askew in their own frames, in a way of that number's, and their bodies hold
  /// them turned back. The scene is the same but for the rounding of coordinates, which ODE keeps as floats:
  /// no face is parallel to an axis, and what is flat is flat within 1e-7.
  std::uint64_t askew = 0;
  int max_contacts = 64;  ///< of one pair of geoms
  double dt = 1.0 / 240;  ///< s
  Solver solver = Solver::kQuick;
  int iterations = 50;  ///< of QuickStep
  bool quick = false;   ///< a shorter run
  /// False: dCollide alone, as in a program that calls odemeshInstall and nothing else.
  bool speculative = true;
};

/// One measured number and what it may be. NaN never passes.
struct Figure {
  enum class Bound { kAtMost, kAtLeast };
  std::string name;
  double value = 0;
  double limit = 0;
  std::string unit;
  Bound bound = Bound::kAtMost;
  /// Where above 0 and the scene has primitives: the limit is eased to this many times their figure.
  double primitive_factor = 0;

  [[nodiscard]] bool passes() const;
};

/// A scene ready to run. `drive` acts before each step (forces, motors), `observe` looks on after each;
/// either may be empty. `judge` gives the figures of the run so far.
struct SceneRun {
  std::unique_ptr<World> world;
  std::vector<JointHandle> joints;  ///< after the world, so that they go before it
  double duration = 0;              ///< s; 0 for scenes that only collide
  std::function<void(World&)> drive;
  std::function<void(const World&)> observe;
  std::function<std::vector<Figure>(World&)> judge;

  /// One step with `drive` before and `observe` after it.
  void step();
  [[nodiscard]] bool isDone() const;
};

/// A named scene of the library.
struct Scene {
  std::string name;  ///< "family/scene", lower case
  std::string description;
  SceneOptions options;  ///< what the scene is meant to run with; a caller may change any of it
  bool has_primitives = false;
  std::function<SceneRun(const SceneOptions&)> build;
};

/// All scenes, in a fixed order. Those that need mesh files which are not there are left out.
[[nodiscard]] std::span<const Scene> allScenes();

/// Null if there is none of that name.
[[nodiscard]] const Scene* findScene(std::string_view name);

/// What came of one run.
struct SceneReport {
  std::vector<Figure> figures;
  std::string failure;  ///< why the run ended early; empty if it did not
  std::uint64_t steps = 0;
  double collision_ms = 0;  ///< a step, on average
  double solver_ms = 0;
  double contacts = 0;  ///< a step, on average
  std::uint64_t hash = 0;

  [[nodiscard]] bool passed() const;
};

/// Builds, runs and judges. `keep_going` is asked after each step; false ends the run as failed.
[[nodiscard]] SceneReport runScene(const Scene& scene, const SceneOptions& options,
                                   const std::function<bool()>& keep_going = {});

/// Eases the limits that are relative to what primitives do; tightens none.
void compareWithPrimitives(SceneReport& report, const SceneReport& primitives);

}  // namespace odemesh::sim
